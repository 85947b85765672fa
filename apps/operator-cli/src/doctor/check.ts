import type { ServiceName } from '@xs2a/contracts/services';
import type { Connections } from '../connections.js';

type Part = 'postgres' | 'nats' | ServiceName;

/** The result of one check of `doctor`. */
export type Outcome =
  | {
      readonly ok: true;
      readonly text: string;
      /** The check warns: run this before the check fails. */ readonly repair?: string;
    }
  | {
      readonly ok: false;
      readonly text: string;
      /** The command that repairs it or shows more. */ readonly repair: string;
    };

/** Creates a passed outcome, which is a warning if `repair` is given. */
export const passed = (text: string, repair?: string): Outcome => ({ ok: true, text, repair });
export const failed = (text: string, repair: string): Outcome => ({ ok: false, text, repair });

export interface Check {
  readonly name: string;
  /** The check is skipped if any of these parts does not answer; a service, if none of its instances does. */
  readonly needs: readonly Part[];
  run(connections: Connections): Promise<Outcome>;
}

/** Selects the command that fixes the problem: one for a bank's own servers, another for the sandbox. */
export const mendBy = (
  { isSandbox }: Connections,
  own: string,
  sandbox = 'npm start   (first stop the sandbox with Ctrl-C)',
): string => (isSandbox ? sandbox : own);

/** The command that restarts a service. */
export const restart = (connections: Connections, service: string): string =>
  mendBy(connections, `kubectl rollout restart deployment/${service}`);
