import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Html, html } from '@xs2a/html/html';
import { listOperations, pageOf, type PlacedOperation } from './operations.js';

/** The operations of each tag, in the order of the description. */
export const byTag = (
  document: OpenApiDocument,
): readonly {
  readonly tag: OpenApiDocument['tags'][number];
  readonly operations: readonly PlacedOperation[];
}[] => {
  const all = listOperations(document);
  return document.tags.map((tag) => ({
    tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
};

export const toAnchor = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The method of an operation as a label. */
export const methodLabel = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** The page of the codes that fields take. */
export const codesPath = '/reference/codes';

/** The pages of the reference as links. `current`: the id of the operation, or a path. Only the group of the current page is unfolded. */
export const referenceTree = (document: OpenApiDocument, current?: string): Html =>
  html`<p>
      <a href="/reference" ${current === undefined ? html`aria-current="page"` : undefined}>Overview</a>
    </p>
    ${byTag(document).map(({ tag, operations }) => {
      const isHere = operations.some(({ operation }) => operation.operationId === current);
      return html`<details ${isHere ? html`open` : undefined}>
        <summary>${tag.name}</summary>
        <ul>
          ${operations.map(
            ({ operation }) =>
              html`<li>
                <a
                  href="${pageOf(operation)}"
                  ${operation.operationId === current ? html`aria-current="page"` : undefined}
                  >${operation.summary}</a
                >
              </li>`,
          )}
        </ul>
      </details>`;
    })}
    <p>
      <a href="${codesPath}" ${current === codesPath ? html`aria-current="page"` : undefined}>Codes</a>
    </p>`;
