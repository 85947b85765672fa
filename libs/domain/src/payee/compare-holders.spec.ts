import { describe, expect, it } from '@jest/globals';
import { type AccountHolder, compareHolders } from './compare-holders.js';

const person = (name: string): AccountHolder => ({ kind: 'person', name });
const company = (...names: readonly string[]): AccountHolder => ({ kind: 'company', names });
const joint = [person('Иван Петров'), person('Мария Георгиева')];
const acme = [company('Акме ЕООД', 'Acme EOOD', 'Akme Trade')];
const verdictOf = (asked: string, holders: readonly AccountHolder[]): string =>
  compareHolders(asked, holders).verdict;

describe('the name of a payee is compared with the holder of the account (contract E4.5, E4.6)', () => {
  it.each([
    ['IVAN PETROV', 'Иван Петров', 'MATCH'],
    ['Petrov, Ivan', 'Иван Петров', 'MATCH'],
    ['г-н Iwan Petrow', 'Иван Петров', 'MATCH'],
    ['Ivan Petrof', 'Иван Петров', 'CLOSE_MATCH'],
    ['И. Петров', 'Иван Петров', 'CLOSE_MATCH'],
    ['Иван Петров Георгиев', 'Иван Петров', 'CLOSE_MATCH'],
    ['Петров', 'Иван Петров', 'NO_MATCH'],
    ['Georgi Petrov', 'Иван Петров', 'NO_MATCH'],
    ['Иван Г. Петров', 'Иван Георгиев Петров', 'MATCH'],
    ['Иван Георгиев', 'Иван Георгиев Петров', 'CLOSE_MATCH'],
    ['Георгиев Петров', 'Иван Георгиев Петров', 'CLOSE_MATCH'],
    ['Mariya Georgieva', 'Мария Георгиева', 'MATCH'],
    ['Мария Георгиев', 'Мария Георгиева', 'CLOSE_MATCH'],
    ['Julia Shtereva', 'Юлия Щерева', 'MATCH'],
    ['Juergen Mueller', 'Jürgen Müller', 'MATCH'],
    ['JÜRGEN GROẞ', 'Jürgen Groß', 'MATCH'],
    ['Jürgen Gross', 'Jürgen GROẞ', 'MATCH'],
    ['Peter Ivanov', 'Петър Иванов', 'CLOSE_MATCH'],
    ['д-р инж. Петър Иванов', 'Петър Иванов', 'MATCH'],
    ['Ж. Жеков', 'Желязко Жеков', 'CLOSE_MATCH'],
    ['Мария И. Ж. Иванова', 'Мария Желева Илиева Иванова', 'MATCH'],
    ['И. Петроф', 'Иван Петров', 'NO_MATCH'],
    ['Иван Иванов', 'Иван Петров', 'NO_MATCH'],
    ['Мадона Чиконе', 'Мадона', 'CLOSE_MATCH'],
    ['', 'Иван Петров', 'NO_MATCH'],
    ['д-р', 'Иван Петров', 'NO_MATCH'],
  ])('person: %s, asked about %s: %s', (asked, holder, verdict) => {
    expect(verdictOf(asked, [person(holder)])).toBe(verdict);
  });

  it.each([
    ['AKME EOOD', 'Акме ЕООД', 'MATCH'],
    ['Акме', 'Акме ЕООД', 'MATCH'],
    ['Акме Е.О.О.Д.', 'Акме ЕООД', 'MATCH'],
    ['„Акме“ ЕООД', 'Акме ЕООД', 'MATCH'],
    ['ЕООД Акме', 'Акме ЕООД', 'MATCH'],
    ['Акме ООД', 'Акме ЕООД', 'CLOSE_MATCH'],
    ['Акне ООД', 'Акме ЕООД', 'NO_MATCH'],
    ['Дунав Строй', 'Дунав Строй България ООД', 'CLOSE_MATCH'],
    ['Дунав Строй Груп България', 'Дунав Строй България ООД', 'CLOSE_MATCH'],
    ['Дунав', 'Дунав Строй ООД', 'NO_MATCH'],
    ['Строй Дунав ООД', 'Дунав Строй ООД', 'CLOSE_MATCH'],
    ['Дунавстрой ООД', 'Дунав Строй ООД', 'MATCH'],
    ['Зора PLC', 'Зора АД', 'MATCH'],
    ['Зора Ltd', 'Зора АД', 'CLOSE_MATCH'],
    ['ЕТ Иван Петров', 'Иван Петров ЕТ', 'MATCH'],
    ['Проф ООД', 'Проф ООД', 'MATCH'],
    ['Инж. ООД', 'Проф ООД', 'NO_MATCH'],
    ['ООД', 'Зора ООД', 'NO_MATCH'],
    ['ООД', 'ООД', 'NO_MATCH'],
    ['К & Д ООД', 'А & Д ООД', 'NO_MATCH'],
    ['К + Д Строй', 'Строй', 'NO_MATCH'],
    ['К & Д ООД', 'К и Д ООД', 'NO_MATCH'],
    ['К. Д. ООД', 'А. Д. ООД', 'NO_MATCH'],
    ['К. Д. ООД', 'К.Д. Е.О.О.Д.', 'CLOSE_MATCH'],
    ['А. Д. Строй', 'А. Д. Строй ЕООД', 'MATCH'],
    ['А. Д. Строй ЕООД', 'А. Д. Строй', 'MATCH'],
    ['AD Stroy EOOD', 'А. Д. Строй ЕООД', 'MATCH'],
    ['AD Stroy EOOD', 'А. Д. Строй', 'MATCH'],
    ['AD Stroy', 'А. Д. Строй ЕООД', 'MATCH'],
    ['А. Д. Строй', 'Б. Д. Строй ЕООД', 'NO_MATCH'],
    ['A&D', 'А & Д ЕООД', 'MATCH'],
    ['А. Д.', 'А & Д ЕООД', 'MATCH'],
    ['Е.Т. Иван Петров', 'Иван Петров ЕТ', 'MATCH'],
    ['А & Д Строй Е.О.О.Д.', 'А & Д Строй ЕООД', 'MATCH'],
  ])('company: %s, asked about %s: %s', (asked, holder, verdict) => {
    expect(verdictOf(asked, [company(holder)])).toBe(verdict);
  });

  it('compares with the registered, Latin and trading names of a company, and the best counts', () => {
    expect(verdictOf('Acme Ltd', acme)).toBe('MATCH');
    expect(verdictOf('Akme Trade', acme)).toBe('MATCH');
    expect(compareHolders('Acma EOOD', acme)).toEqual({ verdict: 'CLOSE_MATCH', name: 'Acme EOOD' });
  });

  it.each([
    ['Иван Петров и Мария Георгиева', 'MATCH'],
    ['ИВАН ПЕТРОВ И МАРИЯ ГЕОРГИЕВА', 'MATCH'],
    ['Petrov, Ivan; Georgieva, Maria', 'MATCH'],
    ['Петров, Иван', 'MATCH'],
    ['Мария Георгиева', 'MATCH'],
    ['Иван Петров, Мария Георгиева', 'MATCH'],
    ['Ivan Petrov / Maria Georgeva', 'CLOSE_MATCH'],
    ['Иван Петров и Елена Стоянова', 'NO_MATCH'],
    ['Иван Петров, Елена', 'NO_MATCH'],
    [' & ', 'NO_MATCH'],
  ])('joint account: %s: %s', (asked, verdict) => {
    expect(verdictOf(asked, joint)).toBe(verdict);
  });

  it('names only the holder who is nearest', () => {
    expect(compareHolders('Ivan Petrov / Maria Georgeva', joint)).toEqual({
      verdict: 'CLOSE_MATCH',
      name: 'Мария Георгиева',
    });
    expect(compareHolders('Иван Петрова', [person('Иван Петровска'), ...joint])).toEqual({
      verdict: 'CLOSE_MATCH',
      name: 'Иван Петров',
    });
  });
});
