import { readFileSync } from 'node:fs';
import { parseProfile, type Profile } from '../profile/profile.js';

const folder = new URL('../../../../deploy/profiles/', import.meta.url);

/** The JSON of a file in the profile folder. */
export const profileJson = (file: string): Record<string, unknown> => ({
  ...Object(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
});

/** A profile as shipped, with optional changes to some fields. */
export const makeProfile = (name: Profile['name'], change: object = {}): Profile =>
  parseProfile({ ...profileJson(`${name}.json`), ...change }, profileJson);
