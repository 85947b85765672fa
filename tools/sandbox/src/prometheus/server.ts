import { readTail, startChild, untilReady } from '@xs2a/local-servers/child';
import { join } from 'node:path';
import { root, writePrivately } from '../layout.js';
import type { Running } from '../processes/supervised.js';
import { readAlertRules, sandboxConfiguration } from './configuration.js';
import { prometheusProgram } from './program.js';

interface PrometheusOptions {
  /** The folder for its data and the generated configuration. */
  readonly dataDir: string;
  readonly port: number;
  readonly logFile: string;
  /** The health URL of each service. */
  readonly healthUrls: Readonly<Record<string, string>>;
}

const startWithinMs = 30_000;
const stopWithinMs = 5000;

/**
 * Starts Prometheus on the loopback interface; it reads the metrics of all services and evaluates the alert rules. If
 * that fails, the error contains the last lines of its log.
 */
export const startPrometheus = async (
  { dataDir, port, logFile, healthUrls }: PrometheusOptions,
  signal: AbortSignal,
): Promise<Running> => {
  const [configFile, rulesFile] = [join(dataDir, 'prometheus.json'), join(dataDir, 'rules.json')];
  writePrivately(rulesFile, JSON.stringify(readAlertRules()));
  writePrivately(configFile, JSON.stringify(sandboxConfiguration(healthUrls, rulesFile)));
  const child = startChild({
    command: prometheusProgram('prometheus'),
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(dataDir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--web.console.templates=${join(root, 'deploy/prometheus/consoles')}`,
    ],
    logFile,
  });
  const outcome = await untilReady(
    child,
    startWithinMs,
    async () => signal.aborted || (await isReady(port)),
    60,
  );
  if (signal.aborted || outcome !== 'ready') {
    await child.stop('SIGKILL', 0);
    throw new Error(
      signal.aborted
        ? 'Prometheus was stopped before it was ready'
        : `Prometheus did not start on port ${port}:\n${readTail(logFile)}`,
    );
  }
  return {
    pid: child.pid,
    exited: child.exited,
    kill: (name) => child.kill(name ?? 'SIGKILL'),
    stop: () => child.stop('SIGTERM', stopWithinMs),
  };
};

const isReady = async (port: number): Promise<boolean> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/-/ready`, { signal: AbortSignal.timeout(2000) });
    return answer.ok;
  } catch {
    return false;
  }
};
