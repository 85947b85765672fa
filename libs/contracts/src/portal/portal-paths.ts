/** What the developer portal shows: nothing, the documents, or also what only a sandbox has. */
export const portalModes = ['off', 'documents', 'sandbox'] as const;
export type PortalMode = (typeof portalModes)[number];

/** The first segments of the portal's paths. The gateway forwards them, and `/`, to the portal. */
export const portalSections = [
  '/guides',
  '/reference',
  '/errors',
  '/events',
  '/changelog',
  '/search',
  '/status',
  '/llms.txt',
  '/portal',
] as const;
