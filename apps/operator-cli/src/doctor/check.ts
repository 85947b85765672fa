import type { Connections } from '../connections.js';

type Part = 'postgres' | 'nats';

/** The result of a check. */
export type Outcome =
  | {
      readonly ok: true;
      readonly text: string;
      /** Well for now: what to run before it is not. */ readonly mend?: string;
    }
  | {
      readonly ok: false;
      readonly text: string;
      /** The command that mends it, or says more. */ readonly mend: string;
    };

export interface Check {
  readonly name: string;
  /** Without these it is not tried. */
  readonly needs: readonly Part[];
  run(connections: Connections): Promise<Outcome>;
}

/** A bank's own servers and the sandbox are mended by other commands. */
export const mendBy = (
  { isSandbox }: Connections,
  own: string,
  sandbox = 'npm start   (after Ctrl-C where the sandbox runs)',
): string => (isSandbox ? sandbox : own);
