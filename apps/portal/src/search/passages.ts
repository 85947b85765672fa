import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { withoutEffect } from '@xs2a/gateway/openapi/operations/standard-headers';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { errorCodes } from '../errors/error-codes.js';
import { withoutMarks } from '../errors/rewordings.js';
import type { Guide } from '../guides/guides.js';
import { listAnswerFields, listBodies } from '../reference/bodies.js';
import { type Form, parameterRow } from '../reference/fields.js';
import { codesPath } from '../reference/tree.js';
import type { Fixtures } from '../start/fixtures.js';
import { otherWords } from './other-words.js';
import { listOperations, pageOf, type PlacedOperation, resolve } from '../reference/operations.js';

/** A part of the portal that a search can find. */
export interface Passage {
  /** Its address, with an anchor if it is a part of a page. */
  readonly id: string;
  /** The section of the portal, and the group of an operation, or the title of the page of which this is a part. */
  readonly place: string;
  readonly title: string;
  readonly text: string;
  /** Other words for what it is about, which developers search for. */
  readonly words?: string;
}

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of HTML that this portal rendered. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const heading = /^<h[23] id="([^"]+)">(.*)<\/h[23]>/;

/** A passage for each section and subsection of a guide, and one for what comes before the first. */
const ofGuide = ({ name, title, lines }: Guide): readonly Passage[] =>
  lines
    .join('\n')
    .split(/^(?=<h[23] )/m)
    .map((part): Passage => {
      const [, anchor, section = ''] = heading.exec(part) ?? [];
      const address = `/guides/${name}`;
      return {
        id: anchor === undefined ? address : `${address}#${anchor}`,
        place: anchor === undefined ? 'Guides' : `Guides: ${title}`,
        title: anchor === undefined ? title : textOf(section),
        text: textOf(part.replace(/^<h[123][^\n]*/, '')),
      };
    });

const isEnumeration = ({ type, codes }: Form): boolean =>
  codes.length > 0 || /^(?:one of|always) /.test(type);

/**
 * Returns the searchable text of a field or parameter: its path, its meaning and, for an enumeration, all its values.
 */
const fieldText = (path: string, form: Form): string =>
  [path, form.meaning, ...(isEnumeration(form) ? [form.type, ...form.codes] : [])].join(' ');

const ofOperation = (
  document: OpenApiDocument,
  standard: PaymentStandard,
  placed: PlacedOperation,
): Passage => {
  const { method, path, operation } = placed;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter(({ description }) => !description.endsWith(withoutEffect))
    .map((parameter) => ({ ...parameter, schema: resolve(document, parameter.schema) }))
    .flatMap((parameter) => parameterRow(parameter).forms.map((form) => fieldText(parameter.name, form)));
  const fields = new Set(
    [
      ...listBodies(document, placed, standard).flatMap((body) => body.fields),
      ...listAnswerFields(document, operation).filter(isEnumeration),
    ].map((field) => fieldText(field.path, field)),
  );
  return {
    id: pageOf(operation),
    place: `Reference: ${operation.tags[0]}`,
    title: operation.summary,
    text: [`${method} ${path}`, operation.description ?? '', ...parameters, ...fields].join('. '),
  };
};

/** Pages without sections of their own. */
const pages: readonly Passage[] = [
  {
    id: '/collections',
    place: 'Collections',
    title: 'Collections for Bruno and Postman',
    text: 'All requests of this bank for an API client, in the order in which they work, to download.',
  },
  {
    id: '/errors',
    place: 'Errors',
    title: 'All error codes',
    text: 'Every error code, and the form of an answer to a refused request.',
  },
  {
    id: '/reference/explorer',
    place: 'Reference',
    title: 'Explorer',
    text: 'Calls the bank from the browser, with Swagger UI.',
  },
  {
    id: codesPath,
    place: 'Reference',
    title: 'Codes',
    text: 'The codes of serviceLevel, chargeBearer, purposeCode, remittanceInformationUnstructured and budgetPaymentDetails.',
  },
  {
    id: '/events',
    place: 'Events',
    title: 'Events',
    text: 'What the bank sends to TPP-Notification-URI after each change of a payment, consent or signing basket.',
  },
  {
    id: '/changelog',
    place: 'Changelog',
    title: 'Changelog',
    text: 'What changed for TPPs in each version.',
  },
  {
    id: '/status',
    place: 'Status',
    title: 'Status',
    text: 'Which parts of the bank’s interface answer now.',
  },
];

/** The people and clients that belong to all users of a sandbox. */
const ofFixtures = ({ psus, tpps }: Fixtures): readonly Passage[] => [
  {
    id: '/#people',
    place: 'Start',
    title: 'People of this sandbox',
    text: `Passwords and accounts of ${psus.map(({ psuId, name }) => `${psuId} (${name})`).join(', ')}; the one-time code.`,
  },
  {
    id: '/#clients',
    place: 'Start',
    title: 'Clients of this sandbox',
    text: `Secrets and redirect URIs of ${tpps.map(({ clientId }) => clientId).join(', ')}.`,
  },
];

/** Everything that a search can find. `fixtures`: those of a sandbox that belong to all of its users. */
export const listPassages = (
  document: OpenApiDocument,
  guides: readonly Guide[],
  standard: PaymentStandard,
  fixtures?: Fixtures,
): readonly Passage[] =>
  [
    ...describedPassages(document, guides, standard),
    ...pages,
    ...(fixtures === undefined ? [] : ofFixtures(fixtures)),
  ].map((passage) => {
    const words = otherWords[passage.id];
    return words === undefined ? passage : { ...passage, words };
  });

const describedPassages = (
  document: OpenApiDocument,
  guides: readonly Guide[],
  standard: PaymentStandard,
): readonly Passage[] => [
  ...guides.flatMap(ofGuide),
  ...listOperations(document).map((placed) => ofOperation(document, standard, placed)),
  ...[...errorCodes].map(([code, cases]): Passage => ({
    id: `/errors/${code}`,
    place: 'Errors',
    title: code,
    text: withoutMarks(cases.flatMap(({ texts, cause }) => [...texts, cause]).join(' ')),
  })),
];
