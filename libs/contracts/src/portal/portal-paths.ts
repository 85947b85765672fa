/** What the developer portal shows: nothing, the documents, or also what only a sandbox has. */
export const portalModes = ['off', 'documents', 'sandbox'] as const;
export type PortalMode = (typeof portalModes)[number];

/** The first segments of the portal's paths. The gateway forwards them, and `/`, to the portal. */
export const portalSections = [
  '/guides',
  '/reference',
  '/collections',
  '/errors',
  '/events',
  '/changelog',
  '/search',
  '/status',
  '/llms.txt',
  '/portal',
  '/workspace',
] as const;

/** The section whose pages accept forms and belong to one TPP, which its cookie names. */
export const workspace = '/workspace';

/** The name of the workspace's cookie. Under https, the prefix binds it to the host (RFC 6265bis 4.1.3.2). */
export const workspaceCookie = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-workspace' : 'workspace';
