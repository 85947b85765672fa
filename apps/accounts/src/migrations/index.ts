import { SandboxBank1700000000001 } from './1-sandbox-bank.js';

export const schema = 'accounts';
export const migrations = [SandboxBank1700000000001];
