import { parseProfile, type Profile } from '@xs2a/domain/profile/profile';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Reads an environment's profile and the tables that it refers to (contract 8).
 * @throws Error with the first invalid field and its required form.
 */
export const readProfile = (file: string): Profile =>
  parseProfile(readJson(file), (name) => readJson(join(dirname(file), name)));
