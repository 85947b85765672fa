import type { Connections } from '../connections.js';

type Part = 'postgres' | 'nats';

/** The result of one check of `doctor`. */
export type Outcome =
  | {
      readonly ok: true;
      readonly text: string;
      /** The check warns: run this before the check fails. */ readonly mend?: string;
    }
  | {
      readonly ok: false;
      readonly text: string;
      /** The command that repairs it or shows more. */ readonly mend: string;
    };

/** With `mend` it warns. */
export const passed = (text: string, mend?: string): Outcome => ({ ok: true, text, mend });
export const failed = (text: string, mend: string): Outcome => ({ ok: false, text, mend });

export interface Check {
  readonly name: string;
  /** The check is skipped if one of these does not answer. */
  readonly needs: readonly Part[];
  run(connections: Connections): Promise<Outcome>;
}

/** Selects the command that repairs a bank's own servers, or the one for the sandbox. */
export const mendBy = (
  { isSandbox }: Connections,
  own: string,
  sandbox = 'npm start   (after Ctrl-C where the sandbox runs)',
): string => (isSandbox ? sandbox : own);
