import { CommanderError } from 'commander';
import { isUnavailable } from '@xs2a/postgres/errors';
import { ConfigError } from '@xs2a/runtime/config';
import { NatsAway } from './connections.js';
import { program } from './program.js';
import { Refusal } from './command-line/refusal.js';
import { xs2a } from './command-line/own-name.js';

// In `xs2a events tail | head`, nobody reads the rest of the output, so the command ends.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const toMessage = (error: unknown): string => {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  const [text = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
  const away = error instanceof NatsAway ? 'NATS' : isUnavailable(error) ? 'PostgreSQL' : undefined;
  return `${away === undefined ? '' : `${away} cannot be reached: `}${text}. Run: ${xs2a('doctor')}`;
};

const toExitCode = (error: unknown): number => {
  if (error instanceof ConfigError) return 2;
  return error instanceof Refusal ? error.exitCode : 1;
};

try {
  await program().parseAsync();
} catch (error) {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  // Ctrl-C.
  if (error instanceof Error && error.name === 'AbortError') process.exit(130);
  const message = toMessage(error);
  process.stderr.write(`${process.argv.includes('--json') ? JSON.stringify({ error: message }) : message}\n`);
  process.exitCode = toExitCode(error);
}

// A server that hangs keeps sockets open, and the command ends all the same, once everything that it printed is written.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
