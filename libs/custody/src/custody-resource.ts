import type { Involved } from '@xs2a/domain/persons';
import type { Resource, StatusView } from '@xs2a/event-store/resource';

/** Rows with more data about a stream: the table, and the column that contains the stream id. */
export interface RelatedRows {
  readonly table: string;
  readonly column: string;
}

/** A status view, and the condition on its columns that shows that a stream has ended. */
export interface ViewEnding {
  readonly table: string;
  /** The columns that `isEnded` reads. */
  readonly columns: readonly string[];
  isEnded(row: Readonly<Record<string, unknown>>): boolean;
  /** Rows that are removed together with the view's row when the stream is archived. */
  readonly related?: readonly RelatedRows[];
}

/** All rows of a stream that belong to a view: the related ones first, then the view's own. */
export const rowsOfView = ({ table, related = [] }: ViewEnding): readonly RelatedRows[] => [
  ...related,
  { table, column: 'stream_id' },
];

/** A status view that shows to whom its streams belong. */
export interface PersonsView extends StatusView {
  /** Returns the persons to whom the stream with this state belongs. */
  persons(state: unknown): Involved;
}

/** The streams of one schema, with all that archiving, retention, export and erasure need to know of them. */
export interface CustodyResource extends Resource {
  readonly views: readonly (PersonsView & ViewEnding)[];
  /** Tables that contain personal data of a stream and are not emptied by archiving. */
  readonly personalRows: readonly RelatedRows[];
}
