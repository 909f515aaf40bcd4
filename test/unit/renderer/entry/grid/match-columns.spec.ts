import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchColumns } from '../../../../../src-renderer/state/entry/grid/match-columns.ts';

const match = (fields: readonly string[], columns: readonly string[]) =>
  Object.fromEntries(matchColumns(fields, columns));

describe('the columns of a file', () => {
  it.each([
    ['email', 'E-Mail'],
    ['email', 'e mail address'],
    ['email', 'Mail'],
    ['email_address', 'Email'],
    ['name', 'Full name'],
    ['name', 'NAME'],
    ['full_name', 'Name'],
    ['first_name', 'firstName'],
    ['companyName', 'Company-Name'],
    ['company_size', 'Size of company'],
    ['company_size', 'Company size (range)'],
    ['employees', 'Employee'],
    ['employees', 'Employes'],
    ['größe', 'GRÖßE'],
    ['resume', 'Résumé'],
    ['phone', 'Telephone no.'],
    ['address1', 'Address 1'],
    ['httpURL', 'HTTP url'],
    ['имя', 'ИМЯ'],
    ['amount', 'Amount (EUR)'],
    ['joined', 'Joined on'],
    ['company', 'Company name'],
    ['unit_price', 'Unit prices, net'],
  ])('feed %s by %j', (field, column) => {
    expect(match([field], ['ID 7', column])).toEqual({ [field]: column });
  });

  it.each([
    ['name', 'Company name'],
    ['name', 'First name'],
    ['email', 'Email verified'],
    ['customer', 'Customer ID'],
    ['address1', 'Address 2'],
    ['address', 'Address 2'],
    ['country', 'County'],
    ['employer', 'Employee'],
    ['employees', 'Company size'],
    ['price', 'Prize'],
    ['n', 'm'],
    ['a', '---'],
  ])('do not feed %s by %j, which may mean something else', (field, column) => {
    expect(match([field], [column])).toEqual({});
  });

  it('are not guessed where two fit equally', () => {
    expect(match(['email'], ['E-Mail', 'EMAIL', 'mail address'])).toEqual({});
    expect(match(['email', 'e_mail'], ['Email address'])).toEqual({});
    expect(match(['amount'], ['Amount (EUR)', 'Amount (USD)'])).toEqual({});
  });

  it('feed the field of their exact name before any other', () => {
    expect(match(['email', 'name'], ['E-Mail', 'email', 'Full name'])).toEqual({
      email: 'email',
      name: 'Full name',
    });
  });

  it('feed no field twice, whatever the names are', () => {
    const name = fc.constantFrom(
      'email',
      'E-Mail',
      'mail',
      'name',
      'Name',
      'Full name',
      '',
      'no',
      'companySize',
    );
    const names = fc.uniqueArray(fc.oneof(name, fc.string({ maxLength: 6, unit: 'grapheme' })));
    fc.assert(
      fc.property(names, names, (fields, columns) => {
        const used = [...matchColumns(fields, columns).values()];
        expect(new Set(used).size).toBe(used.length);
        for (const field of fields)
          if (columns.includes(field)) expect(matchColumns(fields, columns).get(field)).toBe(field);
      }),
    );
  });
});
