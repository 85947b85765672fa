/** The core bank behind its port (`CoreBank`). */
export const BANK = Symbol('BANK');
/** The same bank as a sandbox: the core bank and its tools (`SandboxBank`). */
export const SANDBOX_BANK = Symbol('SANDBOX_BANK');
