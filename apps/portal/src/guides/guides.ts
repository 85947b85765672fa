import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import rendered from './generated/guides.json' with { type: 'json' };

/** A page of the documentation for TPP developers. */
export interface Guide {
  /** The last segment of its path. */
  readonly name: string;
  readonly title: string;
  /** What the reader can do afterwards. */
  readonly summary: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  /** Its HTML, line by line. */
  readonly lines: readonly string[];
  /** Its Markdown, line by line. */
  readonly text: readonly string[];
}

/** The guides for banks of each standard, in their order; `npm run guides` writes them from docs. */
export const guides: Readonly<Record<StandardName, readonly Guide[]>> = rendered;
