import { parseProfile, type Profile } from '@xs2a/domain/profile/profile';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/**
 * The profile of an environment, with the tables that it names (contract 8).
 * @throws Error that names the first wrong field and what it must be.
 */
export const readProfile = (file: string): Profile =>
  parseProfile(readJson(file), (name) => readJson(join(dirname(file), name)));
