import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { type MasterKeys, parseMasterKeys } from '../master-keys.js';

const parsed = parseMasterKeys(`test:${Buffer.alloc(32, 1).toString('base64')}`);
if (parsed === undefined) throw new Error('the master key for tests is malformed');
export const testMasterKeys: MasterKeys = parsed;
export const testHashKeys: HashKeys = parsed.hashKeys('tests');
