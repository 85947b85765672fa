import { parseXml, type XmlDocument, XmlDocumentType, XmlElement, XmlError } from '@rgrove/parse-xml';
import { parseAmount, minorUnits } from '../page/amounts.js';
import { type BulkEntry, type BulkFile, type FileFault, unreadable } from './bulk-file.js';
import { entriesFaults, isIban, addUp } from './entry-checks.js';

/** The versions of the customer credit transfer initiation that are read. */
const namespaces: ReadonlySet<string> = new Set([
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03',
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
]);

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1);
const findChildren = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  (parent?.children ?? []).filter(
    (child): child is XmlElement => child instanceof XmlElement && localName(child) === name,
  );
/** The first element at a path of names below another. */
const at = (parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((one, name) => findChildren(one, name)[0], parent);
const textAt = (parent: XmlElement | undefined, ...path: readonly string[]): string =>
  at(parent, ...path)?.text.trim() ?? '';

/** Answers the line of an element. */
type LineOf = (element: XmlElement | undefined) => number;

const lineCounter = (text: string): LineOf => {
  const ends: number[] = [];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) ends.push(end);
  return (element) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) < (element?.start ?? 0)) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
};

/**
 * A customer credit transfer initiation (ISO 20022, pain.001.001.03 or .09) with one block of payments in BGN. Nothing in
 * it is expanded or fetched: a document type is refused.
 */
export const readPain001 = (text: string): BulkFile => {
  try {
    return readDocument(parseXml(text, { includeOffsets: true, preserveDocumentType: true }), text);
  } catch (error) {
    // A RangeError: nested so deeply that nobody means it.
    if (!(error instanceof XmlError) && !(error instanceof RangeError)) throw error;
    return unreadable('not-well-formed', error instanceof XmlError ? error.line : undefined);
  }
};

const readDocument = (document: XmlDocument, text: string): BulkFile => {
  const lineOf = lineCounter(text);
  if (document.children.some((child) => child instanceof XmlDocumentType)) return unreadable('document-type');
  const { root } = document;
  const initiation = root === null ? undefined : at(root, 'CstmrCdtTrfInitn');
  if (root === null || !isPain001(root) || initiation === undefined) return unreadable('not-pain001', 1);
  const [block, second] = findChildren(initiation, 'PmtInf');
  if (block === undefined) return unreadable('not-pain001', lineOf(initiation));
  if (second !== undefined) return unreadable('one-block', lineOf(second));
  const entries = findChildren(block, 'CdtTrfTxInf').map((one) => parseEntry(one, block, lineOf(one)));
  const debtorIban = textAt(block, 'DbtrAcct', 'Id', 'IBAN');
  const executionDate = textAt(block, 'ReqdExctnDt', 'Dt') || textAt(block, 'ReqdExctnDt');
  const isBatch = textAt(block, 'BtchBookg');
  return {
    entries,
    faults: [
      ...headerFaults(at(initiation, 'GrpHdr'), entries, lineOf),
      ...headerFaults(block, entries, lineOf),
      ...blockFaults(block, debtorIban, executionDate, lineOf),
      ...entriesFaults(entries),
    ],
    debtorIban,
    executionDate,
    batchBooking: isBatch === 'true' || isBatch === '1',
  };
};

const isPain001 = (root: XmlElement): boolean => {
  const prefix = root.name.includes(':') ? `:${root.name.split(':', 1)[0] ?? ''}` : '';
  return localName(root) === 'Document' && namespaces.has(root.attributes[`xmlns${prefix}`] ?? '');
};

const onlyFaults = (found: readonly (FileFault | false)[]): FileFault[] =>
  found.filter((one) => one !== false);

/** The number and the sum that the sender counted, where the file tells them. */
const headerFaults = (
  header: XmlElement | undefined,
  entries: readonly BulkEntry[],
  lineOf: LineOf,
): FileFault[] => {
  const [count, sum] = [at(header, 'NbOfTxs'), at(header, 'CtrlSum')];
  const stated = parseAmount(sum?.text ?? '');
  const isCounted = count === undefined || count.text.trim() === String(entries.length);
  const isSum = sum === undefined || (stated !== undefined && minorUnits(stated) === addUp(entries));
  return onlyFaults([
    !isCounted && { fault: 'count-differs', line: lineOf(count) },
    !isSum && { fault: 'sum-differs', line: lineOf(sum) },
  ]);
};

const blockFaults = (
  block: XmlElement,
  debtorIban: string,
  executionDate: string,
  lineOf: LineOf,
): FileFault[] => {
  const lineAt = (name: string): number => lineOf(at(block, name) ?? block);
  const account = { line: lineAt('DbtrAcct'), field: 'debtorIban' } as const;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(executionDate);
  return onlyFaults([
    textAt(block, 'PmtMtd') !== 'TRF' && { fault: 'not-a-transfer', line: lineAt('PmtMtd') },
    !isDay && { fault: 'date', line: lineAt('ReqdExctnDt'), field: 'executionDate' },
    debtorIban === '' && { fault: 'missing', ...account },
    debtorIban !== '' && !isIban(debtorIban) && { fault: 'iban', ...account },
  ]);
};

const parseEntry = (entry: XmlElement, block: XmlElement, line: number): BulkEntry => {
  const amount = at(entry, 'Amt', 'InstdAmt');
  const endToEndId = textAt(entry, 'PmtId', 'EndToEndId');
  const level = ['PmtTpInf', 'SvcLvl', 'Cd'] as const;
  return {
    line,
    creditorName: textAt(entry, 'Cdtr', 'Nm'),
    creditorIban: textAt(entry, 'CdtrAcct', 'Id', 'IBAN'),
    amount: amount?.text.trim() ?? '',
    currency: amount?.attributes['Ccy'] ?? '',
    remittance: findChildren(at(entry, 'RmtInf'), 'Ustrd')
      .map((one) => one.text.trim())
      .join(' '),
    endToEndId: endToEndId === 'NOTPROVIDED' ? '' : endToEndId,
    serviceLevel: textAt(entry, ...level) || textAt(block, ...level) || 'NURG',
  };
};
