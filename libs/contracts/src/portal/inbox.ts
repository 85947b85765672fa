/**
 * The inboxes of the developer portal, only in its workspace: a TPP without a server receives its notifications at
 * `POST /inbox/<secret>` and reads them in the workspace (docs/contract/13-sandbox.md).
 */
export const inboxPath = '/inbox';

/** The largest body that an inbox accepts, in bytes. */
export const inboxBodyBytes = 64 * 1024;

/** The stream with the entries of all inboxes; each inbox has its own subject. The oldest entries are discarded first. */
export const inboxStream = {
  name: 'INBOX',
  subjects: 'inbox.*',
  /** How many entries one inbox keeps. */
  entriesKept: 100,
  /** How long an entry is kept, in milliseconds of real time. */
  keptMs: 24 * 60 * 60 * 1000,
  /** The size limit of all inboxes together, in bytes. JetStream reserves it. */
  maxBytes: 64 * 1024 * 1024,
} as const;

/** The key-value bucket with the next answers of inboxes that fail on purpose. */
export const inboxFailureBucket = 'INBOX_FAILURES';
