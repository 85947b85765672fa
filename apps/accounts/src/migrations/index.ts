import { SandboxBank1700000000001 } from './1-sandbox-bank.js';
import { SandboxAttempts1700000000002 } from './2-attempts.js';

export const schema = 'accounts';
export const migrations = [SandboxBank1700000000001, SandboxAttempts1700000000002];
