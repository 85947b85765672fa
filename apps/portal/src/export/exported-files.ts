import type { Profile } from '@xs2a/domain/profile/profile';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { compactDocument } from '@xs2a/gateway/openapi/compact-document';
import { type DocumentSettings, type OpenApiDocument, openApiDocument } from '@xs2a/gateway/openapi/document';
import type { Html } from '@xs2a/html/html';
import { changelogPage } from '../changelog/changelog-page.js';
import { collectionFiles, type CollectionFiles } from '../collections/collection-files.js';
import { brunoPath, collectionsPage, postmanPath } from '../collections/collections-page.js';
import { errorCodes } from '../errors/error-codes.js';
import { errorPageOf, errorsPage } from '../errors/error-pages.js';
import { eventsPage } from '../events/events-page.js';
import { guidePage, guidesPage } from '../guides/guide-pages.js';
import { guides as allGuides } from '../guides/guides.js';
import { llmsText } from '../guides/llms-text.js';
import { icon } from '../pages/icon.js';
import { script } from '../pages/script.js';
import { style } from '../pages/style.js';
import { codesPage } from '../reference/codes-page.js';
import { indexPage } from '../reference/index-page.js';
import { operationPage } from '../reference/operation-page.js';
import { listOperations, pageOf } from '../reference/operations.js';
import { startPage } from '../start/start-page.js';
import { placeLinks } from './place-links.js';

export interface ExportSettings {
  /** The bank's public origin, which commands and links to its running parts use. */
  readonly baseUrl: string;
  readonly profile: Profile;
  /** True if the bank has the endpoints of the sandbox. */
  readonly sandbox: boolean;
  /** The day on which the example dates are based, as an ISO date. */
  readonly day: string;
}

/** The pages that need no running bank, by their path. */
const pagesOf = (
  { baseUrl, profile, day }: ExportSettings,
  document: OpenApiDocument,
  { collection }: CollectionFiles,
) => {
  const guides = allGuides[profile.standard];
  const reference = { document, baseUrl, standard: standardOf(profile) };
  return new Map<string, Html>([
    ['/', startPage({ baseUrl, profile })],
    ['/guides', guidesPage(guides)],
    ...guides.map((guide) => [`/guides/${guide.name}`, guidePage(guides, guide, baseUrl)] as const),
    ['/reference', indexPage(document)],
    ['/reference/codes', codesPage(document, profile)],
    ...listOperations(document).map(
      (placed) => [pageOf(placed.operation), operationPage(reference, placed)] as const,
    ),
    ['/collections', collectionsPage(document, collection)],
    ['/errors', errorsPage()],
    ...[...errorCodes.keys()].flatMap((code) => {
      const shown = errorPageOf(code, profile);
      return shown === undefined ? [] : [[`/errors/${code}`, shown] as const];
    }),
    ['/events', eventsPage(document, day)],
    ['/changelog', changelogPage()],
  ]);
};

const fileOf = (path: string): string => (path === '/' ? 'index.html' : `${path.slice(1)}.html`);

/**
 * Returns the developer portal as files for a static web server, by their path in its folder. Their links are relative, so the
 * folder may have any address; the search, the status and the health lead to the bank.
 */
export const exportedFiles = (settings: ExportSettings): ReadonlyMap<string, string | Uint8Array> => {
  const { baseUrl, profile, sandbox, day } = settings;
  const described: DocumentSettings = { baseUrl, pagesUrl: baseUrl, sandbox, profile };
  const document = openApiDocument(described, day);
  const collections = collectionFiles(described);
  const pages = pagesOf(settings, document, collections);
  const others = new Map<string, string | Uint8Array>([
    ['/portal/style.css', style],
    ['/portal/portal.js', script],
    ['/portal/icon.svg', icon],
    ['/openapi.json', JSON.stringify(compactDocument(document))],
    [brunoPath, collections.bruno],
    [postmanPath, collections.postman],
    ['/llms.txt', llmsText(allGuides[profile.standard], baseUrl, profile)],
  ]);
  const files = new Map([
    ...[...pages.keys()].map((path) => [path, fileOf(path)] as const),
    ...[...others.keys()].map((path) => [path, path.slice(1)] as const),
  ]);
  return new Map<string, string | Uint8Array>([
    ...[...pages].map(
      ([path, { text }]) => [fileOf(path), placeLinks(text, { from: path, files, baseUrl })] as const,
    ),
    ...[...others].map(([path, text]) => [path.slice(1), text] as const),
  ]);
};
