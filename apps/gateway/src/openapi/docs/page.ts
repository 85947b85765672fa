import { failures } from '@xs2a/domain/failure/failures';
import { type FieldType, paymentPaths } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { codesAnchor, codesHtml } from './codes.js';
import type { DocumentSettings, OpenApiDocument } from '../document.js';
import { docsStyle } from './style.js';
import { operationsHtml } from './operations.js';
import { code, escape, table } from './html.js';
import { type GuideSettings, tokenGuide } from './guide.js';
import { notificationsHtml } from './notifications.js';
import type { Schema } from '../schemas/schema-parts.js';
import { createHash } from 'node:crypto';

const styleHash = createHash('sha256').update(docsStyle).digest('base64');

/** The page consists of text and one inline stylesheet; the policy forbids loading or running anything else. */
export const docsPolicy: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

const typeHtml = (type: FieldType, standard: PaymentStandard): string => {
  const anchor = codesAnchor(type, standard);
  return anchor === undefined ? escape(type) : `<a href="#${anchor}">${escape(type)}</a>`;
};

const fieldTable = (profile: DocumentSettings['profile']): string =>
  table(
    'Fields of a payment',
    ['Field', 'Meaning', 'Type', ...profile.products.map((product) => escape(product))],
    standardOf(profile).fields.map(({ path, name, type, rules }) => [
      code(path),
      escape(name),
      typeHtml(type, standardOf(profile)),
      ...profile.products.map((product) => escape(rules[product])),
    ]),
  );

/**
 * A table of the fields of a body schema in the document, except the omitted ones; empty if the document does not
 * contain the schema.
 */
const bodyTable = (
  { components }: OpenApiDocument,
  {
    title,
    schema,
    intro,
    without,
  }: {
    readonly title: string;
    readonly schema: string;
    readonly intro: string;
    readonly without: readonly string[];
  },
): string => {
  const { properties, required = [] } = components.schemas[schema] ?? {};
  if (properties === undefined) return '';
  const mandatory: readonly unknown[] = Array.isArray(required) ? required : [];
  const rows = Object.entries(Object(properties) as Readonly<Record<string, Schema>>)
    .filter(([name]) => !without.includes(name))
    .map(([name, { description }]) => [
      code(name),
      escape(String(description ?? 'As in a single payment')),
      mandatory.includes(name) ? 'mandatory' : 'optional',
    ]);
  return `<h3>${escape(title)}</h3><p>${escape(intro)}</p>${table(title, ['Field', 'Meaning', ''], rows)}`;
};

/** The bodies of periodic orders and bulk payments, which contain payments (contract 9). */
const otherBodies = (document: OpenApiDocument, standard: PaymentStandard): string =>
  [
    {
      title: 'Fields of a periodic payment',
      schema: 'PeriodicPayment',
      intro: `The fields of ${standard.previous === undefined ? 'a domestic' : 'a SEPA'} payment except requestedExecutionDate, plus the schedule:`,
      without: paymentPaths,
    },
    {
      title: 'Fields of a bulk payment',
      schema: `BulkPayment.${standard.periodicProduct}`,
      intro:
        'Each of its payments has the fields of a single payment except debtorAccount and requestedExecutionDate.',
      without: [],
    },
  ]
    .map((body) => bodyTable(document, body))
    .join('\n');

/** The errors of questions about payees, which only some banks answer. */
const ofPayeeQuestions: ReadonlySet<string> = new Set(['timestampInvalid', 'payeeQuestionsExceeded']);

const errorTable = ({ paths }: OpenApiDocument): string =>
  table(
    'Errors',
    ['Status', 'Code', 'What to do'],
    Object.entries(failures)
      .filter(([name]) => !ofPayeeQuestions.has(name) || '/sandbox/vop/v1/payee-verifications' in paths)
      .toSorted(([, [a]], [, [b]]) => a - b)
      .map(([, [status, name, text]]) => [String(status), code(name), escape(text)]),
  );

const contents = (document: OpenApiDocument, { purposeCodeProducts }: PaymentStandard): string =>
  [
    ['start', 'Getting started'],
    ...document.tags.map(({ name }) => [toAnchor(name), name]),
    ['notifications', 'Notifications'],
    ['fields', 'Fields of a payment'],
    ['codes', 'Codes'],
    ...(purposeCodeProducts.length === 0 ? [] : [['purpose-codes', 'Purpose codes']]),
    ['errors', 'Errors'],
  ]
    .map(([anchor = '', name = '']) => `<li><a href="#${anchor}">${escape(name)}</a></li>`)
    .join('');

const toAnchor = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/**
 * The API description as a page without scripts, generated from the document, the table of fields and the list of
 * errors.
 */
export const docsPage = (
  document: OpenApiDocument,
  settings: DocumentSettings,
  guide: GuideSettings = {},
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>XS2A interface</title>
<style>${docsStyle}</style>
</head>
<body>
<header><h1>XS2A interface</h1>
<p>Account information, funds confirmation and payment initiation. Base address <code>${escape(settings.baseUrl)}</code>, profile ${escape(settings.profile.name)}. For programs: <a href="/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Contents"><ul>${contents(document, standardOf(settings.profile))}</ul></nav>
<main>
<section id="start"><h2>Getting started</h2>${tokenGuide(settings, guide)}</section>
${document.tags
  .map(
    ({ name, description }) =>
      `<section id="${toAnchor(name)}"><h2>${escape(name)}</h2><p>${escape(description)}</p>${operationsHtml(document, name, standardOf(settings.profile))}</section>`,
  )
  .join('\n')}
<section id="notifications"><h2>Notifications</h2>${notificationsHtml(settings)}</section>
<section id="fields"><h2>Fields of a payment</h2>
<p>The length of a text is counted in characters; control, format and bidirectional characters are refused. Fields other than these are refused too.</p>
${fieldTable(settings.profile)}
${otherBodies(document, standardOf(settings.profile))}</section>
<section id="codes"><h2>Codes</h2>
${codesHtml(settings.profile)}</section>
<section id="errors"><h2>Errors</h2>
<p>Every error response is <code>{"tppMessages":[{"category":"ERROR","code":"…","path":"…","text":"…"}]}</code>. All violations of one body are listed together. Under <code>/oauth2</code> errors have the form of RFC 6749.</p>
${errorTable(document)}</section>
</main>
</body>
</html>
`;
