/** Which credentials a request carries. */
export type Credentials =
  | 'none'
  /** The client id and secret. */
  | 'client'
  /** The token of the application, which the collection gets by itself. */
  | 'token'
  /** A token that a customer of the bank has approved, for accounts or for funds confirmation. */
  | 'userToken'
  | 'fundsToken';

/** A request of a collection. `{{name}}` in its texts is a variable. */
export interface CollectionRequest {
  /** The name of its file. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly url: string;
  readonly credentials: Credentials;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** The status that the bank answers with. */
  readonly status: string;
  /** The variables that are set from the body of the answer, with the path of their value. */
  readonly saves: Readonly<Record<string, string>>;
}

/** A folder of requests, which are sent in their order. */
export interface CollectionFolder {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly folders: readonly CollectionFolder[];
  readonly requests: readonly CollectionRequest[];
}

/** Requests that an API client sends as they are, in order. */
export interface Collection {
  readonly name: string;
  readonly description: string;
  readonly folders: readonly CollectionFolder[];
  /** The variables that the user sets; those of {@link secretVariables} are stored apart. */
  readonly variables: Readonly<Record<string, string>>;
  readonly environment: string;
  /** The distance in days of each date in the requests from the day on which a request is sent. */
  readonly days: readonly number[];
}

/** The variables that hold secrets of the user. */
export const secretVariables = ['clientSecret', 'userToken', 'fundsToken'] as const;

/** The variable of a date. */
export const dayVariable = (days: number): string => (days < 0 ? `daysAgo${-days}` : `inDays${days}`);

/** Lists the requests of folders, and of the folders in them, in their order. */
export const listRequests = (folders: readonly CollectionFolder[]): readonly CollectionRequest[] =>
  folders.flatMap(({ folders: inner, requests }) => [...listRequests(inner), ...requests]);
