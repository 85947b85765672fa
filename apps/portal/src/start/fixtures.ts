import { readFileSync } from 'node:fs';

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

/** Reads the file that SANDBOX_FIXTURES names. */
export const readFixtures = (file: string): Fixtures => JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
