// Files as people have them: each gets in, with remarks.
import { describe, expect, it } from 'vitest';
import { createRowReader } from '../../../../src-main/domain/rows/files/create-row-reader.ts';
import { parseReadOptions } from '../../../../src-main/domain/rows/files/read-options.ts';
import { remarkLine } from '../../../../src-main/domain/rows/files/read-remarks.ts';

/** The rows of the text as lists of cells, below the names of the columns; and the line about it. */
function table(text: string, written: Parameters<typeof parseReadOptions>[0] = {}) {
  const reader = createRowReader('csv', new Map(), parseReadOptions(written));
  const rows = [...reader.push(text), ...reader.end()];
  const report = reader.report();
  return {
    rows: rows.map((row) => new Map(Object.entries(JSON.parse(row) as Record<string, string>))),
    columns: report.columns?.join('|'),
    cells: rows.map((row) => Object.values(JSON.parse(row) as Record<string, string>).join('|')),
    line: remarkLine('f', report).slice('f: '.length),
    readAs: report.readAs,
  };
}

describe('a text file with rows', () => {
  it.each([
    [
      'a line with fewer cells',
      'id,name,note\n1,Ada,\n2,Bob\n',
      ['1|Ada|', '2|Bob|'],
      '1 line has fewer cells than the header (3)',
    ],
    [
      'lines with more cells',
      'id,city\n1,Bonn\n2,Ulm,Ost\n3,Kiel,\n',
      ['1|Bonn', '2|Ulm|Ost', '3|Kiel'],
      '2 lines have more cells than the header (3, 4)',
    ],
    [
      'a quote that opens alone',
      'id,code,item,price\n1,A1,"Lamp, small",5\n2,"B2,"Desk, wide",70\n3,C3,"Bed, old",9\n',
      ['1|A1|Lamp, small|5', '2|"B2|Desk, wide|70', '3|C3|Bed, old|9'],
      '1 quote read as text (3)',
    ],
    [
      'a delimiter missing before a quote',
      'id,price,item,note,url\n1,$5,"Lamp, small",a,u1\n2,$7"Desk, wide",b,u2\n3,$9,"Bed, old",c,u3\n',
      ['1|$5|Lamp, small|a|u1', '2|$7|Desk, wide|b|u2', '3|$9|Bed, old|c|u3'],
      '1 line without a delimiter beside a quote repaired (3)',
    ],
    [
      'a delimiter missing between two quoted cells',
      'a,b,c\n"x","y",1\n"x""y",1\n',
      ['x|y|1', 'x|y|1'],
      '1 line without a delimiter beside a quote repaired (3)',
    ],
    [
      'a quote that is never closed',
      'a,b\n1,"x\n2,y\n3,"z"\n',
      ['1|"x', '2|y', '3|z'],
      '1 quote read as text (2)',
    ],
    [
      'a short line with a quoted cell',
      'a,b,c\n"x",1,2\n"y",3\n',
      ['x|1|2', 'y|3|'],
      '1 line has fewer cells than the header (3)',
    ],
    [
      'two columns, of which half of the lines have another number of cells',
      'id,name\n1,Ada\n2,Bob,Ulm\n3\n',
      ['1|Ada', '2|Bob|Ulm', '3|'],
      '1 line has more cells than the header (3); 1 line has fewer cells than the header (4)',
    ],
    [
      'one column that may be several',
      'tags\nred,blue\ngreen\nwhite\nblack\n',
      ['red,blue', 'green', 'white', 'black'],
      'one column: no delimiter agrees',
    ],
    [
      'a title above columns with texts for missing values',
      'Orders\nname;sum\nAda;1\nBo;k.A.\nCy;n/a\nDi;4\n',
      ['Ada|1', 'Bo|k.A.', 'Cy|n/a', 'Di|4'],
      'delimiter ";", header in line 2, 1 line above left out',
    ],
    [
      'inch signs in a file without quoted cells',
      'size,item\n5",pipe\n7",tube\n',
      ['5"|pipe', '7"|tube'],
      '',
    ],
    [
      'title lines',
      'Report of May;;\n;;\nid;name;age\n1;Ada;36\n2;Bob;41\n',
      ['1|Ada|36', '2|Bob|41'],
      'header in line 3, 2 lines above left out',
    ],
    [
      'a line of notes above',
      '# exported 2026\nid,name\n1,Ada\n',
      ['1|Ada'],
      'header in line 2, 1 line above left out',
    ],
    [
      'lines of delimiters',
      'id;name\n1;Ada\n;\n;\n2;Bob\n;\n',
      ['1|Ada', '2|Bob'],
      '3 empty lines left out (3, 4, 6)',
    ],
    [
      'blank lines inside and at the end',
      'id,name\n1,Ada\n\n2,Bob\n\n\n',
      ['1|Ada', '2|Bob'],
      '1 empty line left out (3)',
    ],
    [
      'a line that names the delimiter',
      'sep=;\nid;price\n1;1,50\n',
      ['1|1,50'],
      'delimiter ";" as line 1 says',
    ],
    [
      'no header',
      '399.19,74.38\n401.12,73.73\n',
      ['399.19|74.38', '401.12|73.73'],
      'no header line: line 1 has values',
    ],
    [
      'apostrophes as quotes',
      "id,name,note\n1,'Lamp, small','it''s new'\n2,'Desk, wide','old'\n",
      ["1|Lamp, small|it's new", '2|Desk, wide|old'],
      "quotes '",
    ],
    ['blanks before quotes', 'id, "name", "city"\n1, "Ada, L.", "Bonn"\n', ['1|Ada, L.|Bonn'], ''],
    ['blanks behind delimiters', 'id, name, city\n1, Ada, Bonn\n', ['1|Ada|Bonn'], 'delimiter ", "'],
    [
      'backslashes before quotes',
      'id,item,size\n1,"Table \\"round\\", big",48\n2,"Bed",90\n',
      ['1|Table "round", big|48', '2|Bed|90'],
      'quotes are escaped by \\"',
    ],
    ['a delimiter that only the rows have', 'name, first;age\nAda;5\n', ['Ada|5'], ''],
    ['stars between cells', 'a*b\n1*2\n3*4\n5*6\n', ['1|2', '3|4', '5|6'], 'delimiter "*"'],
    [
      'the header once more',
      'id;name\n1;Ada\nid;name\n2;Bob\n',
      ['1|Ada', '2|Bob'],
      '1 line equal to the header left out (3)',
    ],
    [
      'texts with blanks in one column',
      'name\nAda Lovelace\nBob Doe\nCy Coe\nDi Dee\n',
      ['Ada Lovelace', 'Bob Doe', 'Cy Coe', 'Di Dee'],
      '',
    ],
    ['lines that end with CR', 'a,b\r1,"x\ry"\r', ['1|x\ry'], ''],
    [
      'delimiters of two kinds',
      'id;name;age\n1;Ada, L.;36\n2;Bob, D.;41;x\n',
      ['1|Ada, L.|36', '2|Bob, D.|41|x'],
      'delimiter ";"; 1 line has more cells than the header (3)',
    ],
  ])('may have %s', (_, text, cells, line) => {
    expect(table(text)).toMatchObject({ cells, line });
  });

  it('without a header below title lines reads alike again: no option names its first row', () => {
    const text = 'Report;;\nStand: 21.11.;;\n1;2;3\n4;5;6\n7;8;9\n';
    const { readAs, ...first } = table(text);
    expect(first).toMatchObject({
      cells: ['1|2|3', '4|5|6', '7|8|9'],
      line: 'no header line: line 3 has values, 2 lines above left out',
    });
    expect(readAs).toEqual({ delimiter: ';', quote: '"' });
    expect(table(text, { delimiter: ';', quote: '"' })).toMatchObject({ cells: first.cells, readAs });
    const titles = table(text, { header: 'none' });
    expect(titles.readAs).toMatchObject({ header: 'none' });
    expect(titles.cells[0]).toBe('Report||');
  });

  it('reads alike again with the options that were decided', () => {
    const text = 'Report;;\nid;name;age\n1;Ada;36\n2;Bob;41;x\n';
    const first = table(text);
    expect(first.readAs).toEqual({ delimiter: ';', quote: '"', header: { first: 2, last: 2 } });
    expect(table(text, { delimiter: ';', quote: '"', header: 2 })).toMatchObject({
      cells: first.cells,
      line: '1 line has more cells than the header (4)',
    });
  });

  it.each([
    ['id,name\n1,"Ada"\n', { header: 'none' }, ['id|name', '1|Ada']],
    ['id,name\n1,"Ada"\n2,Bob\n', { header: 2 }, ['2|Bob']],
    ['id,name\n1,"Ada"\n', { delimiter: ';' }, ['1,"Ada"']],
    ['id,name\n1,"Ada"\n', { quote: 'none' }, ['1|"Ada"']],
  ] as const)('is read as the options say: %j %o', (text, options, cells) => {
    expect(table(text, options).cells).toEqual(cells);
  });

  it.each([
    [
      'id,name,city\n1,Ada\n',
      /^line 2: 2 cells of 3 \(delimiter ","\), which is an error with --strict\. Correct the line, .*: --skip short$/,
    ],
    [
      'a,b\n1,"x\n2,"y"\n',
      /^line 2: column 3: the quote here is not closed, .*, which is an error with --strict\. .*: --quote none$/,
    ],
    ['Title\nid,name\n1,Ada\n', /header in line 2, which is an error with --strict/],
  ])('is refused with strict if it is not plain: %j', (text, message) => {
    expect(() => table(text, { strict: true })).toThrow(message);
  });

  it.each([
    [
      'short',
      ['4|5|6', '8|9|10|11'],
      '2 lines with fewer cells than the header left out (2, 4); 1 line has more cells than the header (5)',
    ],
    [
      'long',
      ['1|2|', '4|5|6', '7||'],
      '2 lines have fewer cells than the header (2, 4); 1 line with more cells than the header left out (5)',
    ],
    [
      'both',
      ['4|5|6'],
      '2 lines with fewer cells than the header left out (2, 4); 1 line with more cells than the header left out (5)',
    ],
  ] as const)('leaves out lines by their width as the option skip says: %s', (skip, cells, line) => {
    const text = 'a,b,c\n1,2\n4,5,6\n7\n8,9,10,11\n';
    expect(table(text, { skip })).toMatchObject({ cells, line, readAs: { skip } });
  });

  it('has columns in their order, be their names whole numbers', () => {
    expect(table('name,2016,2015\nAda,1,2\n').columns).toBe('name|2016|2015');
  });
});
