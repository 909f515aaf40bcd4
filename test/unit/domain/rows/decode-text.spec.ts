import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextOfBytes, type DecodeOptions } from '../../../../src-main/domain/rows/files/decode-text.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** The text of a whole file. */
async function textOfBytes(bytes: Uint8Array, options: DecodeOptions = {}) {
  const decoder = new TextOfBytes(options);
  const text = (await decoder.push(bytes)) + (await decoder.end());
  return { text, report: decoder.report() };
}

const textsOf = async (bytes: Uint8Array, options?: DecodeOptions) => {
  const { text, report } = await textOfBytes(bytes, options);
  return {
    text,
    readAs: report.readAs,
    remarks: report.remarks.map(({ text: words, lines }) => [words, ...lines]),
  };
};

/** Cyrillic, Japanese and Chinese: their bytes, written by other programs. */
const russian = Buffer.from('69643bc8ecff0a313bcff0e8e2e5f220ece8f00a323bc2f1e5ec20efe5f0e5f0fbe20a', 'hex');
const japanese = Buffer.from(
  '69642c96bc914f2c93738e730a312c8e52936391be98592c938c8b9e0a322c82b782b882ab2c82a882a882b382a90a',
  'hex',
);
const chinese = Buffer.from('69642cd0d5c3fb0a312cd5c5c8fd2cb1b1bea90a322cc0eecbc42cc9cfbaa3cad00a', 'hex');

describe('the text of a file', () => {
  it('in UTF-8 has no remarks, with and without a mark', async () => {
    for (const mark of ['', '\ufeff'])
      expect(await textsOf(utf8(`${mark}n\nMüller 🎈 \ufeff\n`))).toEqual({
        text: 'n\nMüller 🎈 \ufeff\n',
        readAs: {},
        remarks: [],
      });
  });

  it.each([
    ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16be', utf16be],
  ] as const)('in %s is found by its mark, and else by its zero bytes', async (encoding, bytesOf) => {
    const text = 'n;Größe\n1;🎈\n';
    expect(await textsOf(bytesOf(`\ufeff${text}`))).toEqual({ text, readAs: {}, remarks: [] });
    expect(await textsOf(bytesOf(text))).toEqual({
      text,
      readAs: { encoding },
      remarks: [['read as UTF-16']],
    });
  });

  it('in UTF-16 is found where only its delimiters and line breaks have zero bytes', async () => {
    const text = '名前,都市\n山田太郎,東京\n';
    expect((await textsOf(Buffer.from(text, 'utf16le'))).text).toBe(text);
  });

  it('in UTF-16 with half of a pair is refused with its line', async () => {
    const broken = Buffer.concat([
      Buffer.from('\ufeffn\nab\n', 'utf16le'),
      Buffer.from([0x3d, 0xd8, 0x41, 0]),
      Buffer.from('\n', 'utf16le'),
    ]);
    await expect(textOfBytes(broken)).rejects.toThrow(
      'line 3, column 1: the text is not UTF-16LE. Save the file as UTF-8',
    );
  });

  it('has one line of Windows-1252 among lines of UTF-8', async () => {
    const bytes = Buffer.concat([
      utf8('n\nMüller\nŁódź\n'),
      latin1('B\u00e4rbel \u0096 \u0093x\u0094\r\n'),
      utf8('Ångström'),
    ]);
    expect(await textsOf(bytes)).toEqual({
      text: 'n\nMüller\nŁódź\nBärbel – “x”\r\nÅngström',
      readAs: { encoding: 'mixed' },
      remarks: [['1 line is Windows-1252', 4]],
    });
  });

  it('is Windows-1252 where no line is UTF-8', async () => {
    expect(await textsOf(latin1('n;p\n\u0084Bl\u00fcte\u0093;5 \u0080\nx;y\nStra\u00dfe;\u0092\n'))).toEqual({
      text: 'n;p\n„Blüte“;5 €\nx;y\nStraße;’\n',
      readAs: { encoding: 'mixed' },
      remarks: [['read as Windows-1252', 2, 4]],
    });
  });

  it('marks lines with bytes that Windows-1252 does not have', async () => {
    const { remarks } = await textsOf(latin1('n\nM\u0081ller\nK\u00f6ln\n'));
    expect(remarks).toEqual([
      ['read as Windows-1252', 2, 3],
      ['1 line with characters that Windows-1252 does not have', 2],
    ]);
  });

  it('counts the lines of CR LF, LF and CR', async () => {
    const { remarks } = await textsOf(Buffer.concat([utf8('ü\r\n\r\nb\rc\n\r'), latin1('\u00fc\r')]));
    expect(remarks).toEqual([['1 line is Windows-1252', 6]]);
  });

  it.each([
    ['windows-1251', russian, 'id;Имя\n1;Привет мир\n2;Всем перерыв\n'],
    ['gb18030', chinese, 'id,姓名\n1,张三,北京\n2,李四,上海市\n'],
    ['shift_jis', japanese, 'id,名前,都市\n1,山田太郎,東京\n2,すずき,おおさか\n'],
  ])('in %s is refused until its encoding is named', async (encoding, bytes, expected) => {
    await expect(textOfBytes(bytes)).rejects.toThrow(/is not UTF-8, .* with --encoding: /);
    const { text, readAs } = await textsOf(bytes, { encoding });
    expect(text).toBe(expected);
    expect(readAs).toEqual({ encoding });
  });

  it('in another code page is offered by name', async () => {
    await expect(textOfBytes(russian)).rejects.toMatchObject({
      message: expect.stringContaining(
        'name its encoding with --encoding: windows-1251, or windows-1252 for Western text',
      ) as string,
      detail: { encoding: 'windows-1251' },
    });
    await expect(textOfBytes(chinese)).rejects.toThrow('looks like GB18030');
  });

  it('in German, French, Spanish, Danish and Polish is never taken for a text of another script', async () => {
    for (const text of [
      'Müller;Köln\nJürgen Groß;Düsseldorf\nÄÖÜ\n',
      'Hélène Lefèvre;François\n',
      'José Muñoz;Begoña Ibáñez\n',
      'Søren Kjærgård;Åse Bjørn\n',
      '20 °C;20 µg/m³;£££\n',
      'mie\u009cci¹ca;œ¹cz\n',
    ])
      expect((await textsOf(latin1(text))).remarks[0]?.[0]).toBe('read as Windows-1252');
  });

  it('in the encoding that the user names is decoded by it alone', async () => {
    expect((await textsOf(latin1('\u0096'), { encoding: 'latin1' })).text).toBe('–');
    await expect(textOfBytes(latin1('a\nb\n\u00fc'), { encoding: 'UTF8' })).rejects.toThrow(
      'line 3, column 1: the text is not UTF-8. Name another encoding, or none',
    );
    await expect(textOfBytes(utf8('a'), { encoding: 'ebcdic' })).rejects.toThrow(
      'there is no encoding "ebcdic"',
    );
  });

  it('in UTF-8 that is read in another encoding has a remark', async () => {
    expect(await textsOf(utf8('ü'), { encoding: 'windows-1252' })).toEqual({
      text: 'Ã¼',
      readAs: { encoding: 'windows-1252' },
      remarks: [['read as Windows-1252, but looks like UTF-8']],
    });
    expect((await textsOf(utf8('name'), { encoding: 'utf-16le' })).remarks).toEqual([
      ['read as UTF-16LE, but looks like UTF-8'],
    ]);
    expect((await textsOf(utf8('name'), { encoding: 'windows-1251' })).remarks).toEqual([]);
  });

  it('has the encoding of its mark, whatever encoding is named', async () => {
    expect(await textsOf(utf8('\ufeffü'), { encoding: 'windows-1252' })).toEqual({
      text: 'ü',
      readAs: {},
      remarks: [['read as UTF-8, with whose mark it begins']],
    });
  });

  it('with any remark is refused if remarks are errors', async () => {
    await expect(textOfBytes(latin1('a\n\u00fc'), { strict: true })).rejects.toThrow(
      'line 2: the line is not UTF-8, which is an error with --strict',
    );
  });

  it('may begin as files of other kinds do', async () => {
    for (const text of [
      'PAR1,PAR2\n1,2\n',
      'ARROW1;x\n',
      'BZhour\n',
      'Rar!\n',
      '%PDF\n',
      'GIF8\n',
      'PK,id\n',
    ])
      expect((await textsOf(utf8(text))).text).toBe(text);
  });

  it('keeps a few zero bytes', async () => {
    const text = `n\n${'abcdefghij\n'.repeat(50)}x\0y\n`;
    expect((await textsOf(utf8(text))).text).toBe(text);
  });

  it.each([
    ['%PDF-1.7\n', 'it is a PDF. Rows come from Excel'],
    ['\u0089PNG\r\n', 'it is an image (PNG)'],
    ['BZh91AY&SY', 'it is packed with bzip2. Unpack it first'],
    ['PAR1\u0015\u0004', 'it is a Parquet file. Convert it to CSV or NDJSON'],
    ['\0\0\0\0', 'it has nothing but zero bytes'],
    ['a\0\0\0b\u0001\0\0', 'it is not a text file, since it has zero bytes'],
    ['\u00ff\u00fe\0\0a\0\0\0', 'it is text in UTF-32. Save it as UTF-8'],
  ])('that is none (%j) is refused with what it is', async (bytes, message) => {
    await expect(textOfBytes(latin1(bytes))).rejects.toThrow(message);
  });

  it('is the same in whichever pieces its bytes come', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map(utf8),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0))),
      fc.constantFrom('\n', '\r', '\r\n', 'ü\n', '').map(utf8),
      fc.constant(latin1('\u00fc \u0096')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(200)), async (lines, cuts) => {
        const bytes = Buffer.concat([utf8(`${'x'.repeat(131_072)}\n`), ...lines]);
        const whole = await textOfBytes(bytes, { encoding: 'mixed' });
        const decoder = new TextOfBytes({ encoding: 'mixed' });
        let text = '';
        let at = 0;
        for (const cut of [131_073, ...cuts]) {
          text += await decoder.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        text += (await decoder.push(bytes.subarray(at))) + (await decoder.end());
        expect(text).toBe(whole.text);
        expect(decoder.report()).toEqual(whole.report);
      }),
    );
  });

  it('has lines of any length', async () => {
    const long = `${'ü'.repeat(700_000)}a${'🎈'.repeat(700_000)}`;
    const decoder = new TextOfBytes({});
    let text = '';
    const bytes = utf8(`${long}\nb`);
    for (let at = 0; at < bytes.length; at += 65_536)
      text += await decoder.push(bytes.subarray(at, at + 65_536));
    text += await decoder.end();
    expect(text === `${long}\nb`).toBe(true);
    expect(decoder.report().remarks).toEqual([]);
  });
});
