import { Consents1700000000001 } from './1-consents.js';

export const schema = 'consents';
export const migrations = [Consents1700000000001];
