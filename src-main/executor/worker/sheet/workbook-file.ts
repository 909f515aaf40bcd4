// A workbook (.xlsx) as far as its cells need it: its sheets, shared texts and the formats that make numbers dates.
import { counted } from '../../../domain/format.ts';
import { isGzip } from '../../../domain/rows/files/file-kind.ts';
import type { WorkbookSheet } from '../../parser/sheet-protocol.ts';
import { kindOfBuiltIn, kindOfFormat, type NumberKind, CellText } from './excel-date.ts';
import { readXml, type Attributes } from './read-xml.ts';
import { SheetProblem } from './sheet-problem.ts';
import { ZipArchive } from './zip-archive.ts';

/** Maximum bytes of all parts that are read, unpacked. */
const maxUnpackedBytes = 200_000_000;
/** Maximum sheets. Their names go to the main process, whichever sheet is read. */
const maxSheets = 10_000;
/** Maximum characters of a sheet's name. Excel allows 31. */
const maxSheetNameLength = 255;

type SheetPart = WorkbookSheet & { readonly relationId: string };

/** `hasCells` is false for a chart or a dialog. */
type NamedSheet = WorkbookSheet & { readonly hasCells: boolean };

export type WorkbookFile = {
  /** Sheets in the order of the workbook. */
  readonly sheets: readonly NamedSheet[];
  readonly is1904: boolean;
  /** Texts of cells by their number; undefined for one that is longer than a cell's text can be. */
  readonly sharedTexts: readonly (string | undefined)[];
  /** Kinds of numbers by the style of the cell; undefined if the workbook names styles that are not in it. */
  readonly kinds: readonly NumberKind[] | undefined;
  /** The XML of a sheet. Throws a SheetProblem. */
  readonly sheetXml: (name: string) => Uint8Array;
};

/** Throws a SheetProblem. */
export function openWorkbook(bytes: Uint8Array): WorkbookFile {
  assertZip(bytes);
  const archive = new ZipArchive(bytes, maxUnpackedBytes);
  const path = workbookPath(archive);
  const xml = archive.read(path);
  if (xml === undefined) throw notWorkbook(archive);
  const { sheets, is1904 } = readSheets(xml);
  const targets = relations(archive, path);
  return {
    sheets: sheets.map(({ name, isHidden, relationId }) => ({
      name,
      isHidden,
      hasCells: targets.find(({ id }) => id === relationId)?.type === 'worksheet',
    })),
    is1904,
    sharedTexts: readTexts(partOf(archive, targets, 'sharedStrings')),
    kinds: isPartMissing(archive, targets, 'styles')
      ? undefined
      : readKinds(partOf(archive, targets, 'styles')),
    sheetXml: (name) => {
      const id = sheets.find((sheet) => sheet.name === name)?.relationId ?? '';
      const target = targets.find((relation) => relation.id === id);
      if (target?.type !== 'worksheet')
        throw new SheetProblem(
          `the sheet "${name}" is a chart or a dialog, without cells. Choose another sheet`,
        );
      const found = archive.read(target.path);
      if (found === undefined)
        throw new SheetProblem(
          `the workbook is damaged: the sheet "${name}" is missing. Open it in Excel and save it again`,
        );
      return found;
    },
  };
}

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

function assertZip(bytes: Uint8Array): void {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return;
  if (isGzip(bytes)) throw new SheetProblem('it is a workbook packed with gzip. Unpack it first');
  if (!compoundFile.every((byte, index) => bytes[index] === byte))
    throw new SheetProblem('it is not an Excel workbook. Save it as .xlsx or CSV, then try again');
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  );
  throw new SheetProblem(
    isEncrypted
      ? 'it is protected with a password. Save it without one, then try again'
      : 'it is an old Excel workbook (.xls). Save it as .xlsx, then try again',
  );
}

function notWorkbook(archive: ZipArchive): SheetProblem {
  if (archive.has('xl/workbook.bin'))
    return new SheetProblem('it is a binary workbook (.xlsb). Save it as .xlsx, then try again');
  if (archive.has('content.xml'))
    return new SheetProblem('it is an OpenDocument file. Save it as .xlsx, then try again');
  return new SheetProblem('it is a ZIP file, but not an Excel workbook. Unpack it first');
}

type Relation = { readonly id: string; readonly type: string; readonly path: string };

function workbookPath(archive: ZipArchive): string {
  const found = readRelations(archive.read('_rels/.rels'), '').find(({ type }) => type === 'officeDocument');
  return found?.path ?? 'xl/workbook.xml';
}

function relations(archive: ZipArchive, path: string): readonly Relation[] {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  return readRelations(archive.read(`${folder}_rels/${path.slice(slash)}.rels`), folder);
}

/** The path without the steps `.` and `..`. */
function resolvedPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** Relations that lead out of the file are left out. */
function readRelations(xml: Uint8Array | undefined, folder: string): readonly Relation[] {
  const found: Relation[] = [];
  eachElement(xml, 'Relationship', ({ Id = '', Type = '', Target = '', TargetMode }) => {
    if (TargetMode === 'External') return;
    const path = resolvedPath(Target.startsWith('/') ? Target.slice(1) : folder + Target);
    found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path });
  });
  return found;
}

function partOf(archive: ZipArchive, targets: readonly Relation[], type: string): Uint8Array | undefined {
  const path = targets.find((relation) => relation.type === type)?.path;
  return path === undefined ? undefined : archive.read(path);
}

const isPartMissing = (archive: ZipArchive, targets: readonly Relation[], type: string): boolean =>
  targets.some((relation) => relation.type === type && !archive.has(relation.path));

function eachElement(
  xml: Uint8Array | undefined,
  name: string,
  onElement: (attributes: Attributes) => void,
): void {
  if (xml === undefined) return;
  readXml(xml, {
    onOpen: (found, attributes) => {
      if (found === name) onElement(attributes());
    },
  });
}

function readSheets(xml: Uint8Array): { sheets: readonly SheetPart[]; is1904: boolean } {
  const sheets: SheetPart[] = [];
  let is1904 = false;
  readXml(xml, {
    onOpen: (element, attributes) => {
      if (element === 'workbookPr') is1904 ||= /^(1|true)$/.test(attributes()['date1904'] ?? '');
      if (element !== 'sheet') return;
      const { name = '', state, id = '' } = attributes();
      if (name.length > maxSheetNameLength)
        throw new SheetProblem(`it has a sheet whose name is longer than ${maxSheetNameLength} characters`);
      if (sheets.length === maxSheets)
        throw new SheetProblem(`it has more than ${counted(maxSheets, 'sheet')}`);
      sheets.push({ name, isHidden: state === 'hidden' || state === 'veryHidden', relationId: id });
    },
  });
  return { sheets, is1904 };
}

/** Texts of `si` elements; how a text is pronounced is no part of it. */
function readTexts(xml: Uint8Array | undefined): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  if (xml === undefined) return texts;
  let text = new CellText();
  let isInText = false;
  let isInPhonetics = false;
  readXml(xml, {
    onOpen: (name) => {
      if (name === 'si') text = new CellText();
      if (name === 'rPh') isInPhonetics = true;
      isInText = name === 't' && !isInPhonetics;
    },
    onClose: (name) => {
      if (name === 'si') texts.push(text.value);
      if (name === 'rPh') isInPhonetics = false;
      isInText = false;
    },
    onText: (piece) => {
      if (isInText) text.add(piece);
    },
  });
  return texts;
}

function readKinds(xml: Uint8Array | undefined): readonly NumberKind[] {
  const own = new Map<number, NumberKind>();
  const kinds: NumberKind[] = [];
  let isInCells = false;
  if (xml !== undefined)
    readXml(xml, {
      onOpen: (name, attributes) => {
        if (name === 'numFmt') {
          const { numFmtId, formatCode = '' } = attributes();
          own.set(Number(numFmtId), kindOfFormat(formatCode));
        } else if (name === 'cellXfs') isInCells = true;
        else if (name === 'xf' && isInCells) {
          const id = Number(attributes()['numFmtId'] ?? 0);
          kinds.push(own.get(id) ?? kindOfBuiltIn(id));
        }
      },
      onClose: (name) => {
        if (name === 'cellXfs') isInCells = false;
      },
    });
  return kinds;
}
