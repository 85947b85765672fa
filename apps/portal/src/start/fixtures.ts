import { readFileSync } from 'node:fs';
import type { PortalConfig } from '../config.js';

/** The TPPs and people with which a sandbox starts. */
export interface Fixtures {
  readonly tpps: readonly {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly roles: readonly string[];
    readonly redirectUris: readonly string[];
  }[];
  readonly psus: readonly {
    readonly psuId: string;
    readonly password: string;
    readonly name: string;
    readonly accounts?: readonly string[];
    readonly corporateIds?: readonly string[];
  }[];
  readonly corporates: readonly {
    readonly corporateId: string;
    readonly name: string;
    readonly signaturesRequired: number;
    readonly accounts: readonly string[];
  }[];
}

/** The people and TPPs that belong to all users of a sandbox; undefined elsewhere, and if a core bank has the customers. */
export const sharedFixtures = ({
  PORTAL,
  CORE_BANK,
  SANDBOX_FIXTURES: file,
}: PortalConfig): Fixtures | undefined =>
  PORTAL === 'sandbox' && CORE_BANK !== 'nats' && file !== undefined
    ? (JSON.parse(readFileSync(file, 'utf8')) as Fixtures)
    : undefined;
