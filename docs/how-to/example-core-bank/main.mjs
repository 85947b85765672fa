// An in-memory core bank in plain Node. Start it with NATS_URL=nats://bank:PASSWORD@HOST:4222 node
// docs/how-to/example-core-bank/main.mjs
import { connect } from '@nats-io/transport-node';
import { answers } from './answers.mjs';
import { convertAccounts } from './ledger.mjs';

const { username, password, host } = new URL(process.env.NATS_URL ?? 'nats://127.0.0.1:4222');
const connection = await connect({
  servers: host,
  ...(username === '' ? {} : { user: username, pass: decodeURIComponent(password) }),
  name: 'example-core-bank',
  maxReconnectAttempts: -1,
});

// A real bank sends a text message. This one prints the code to standard output.
const deliver = async (message) => {
  process.stdout.write(`${JSON.stringify({ otp: message })}\n`);
};

/**
 * Converts an error to the form that the caller expects. The details stay in the bank's own log, without customer
 * data.
 */
const toError = (error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return { error: { code: error instanceof TypeError ? 'request-refused' : 'failed' } };
};

/** The latest time of a caller: the sandbox can move its clock. */
let latest = new Date().toISOString();

const answer = async (handle, message) => {
  try {
    const { context, request } = JSON.parse(message.string());
    if (context.at > latest) latest = context.at;
    return { ok: await handle(request, context) };
  } catch (error) {
    return toError(error);
  }
};

const respond = async (handle, message) => {
  message.respond(JSON.stringify(await answer(handle, message)));
};

/** Uses a queue group, so that exactly one of several instances answers. A slow answer does not delay others. */
const serve = async (subject, handle) => {
  for await (const message of connection.subscribe(subject, { queue: 'bank' })) void respond(handle, message);
};

for (const [subject, handle] of Object.entries(answers({ deliver }))) void serve(subject, handle);
// A real bank converts its accounts by its own means. This one does so when it receives this signal.
process.on('SIGUSR2', () => {
  convertAccounts(latest);
  process.stdout.write('converted\n');
});

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void connection.drain());

await connection.flush();
process.stdout.write('ready\n');
await connection.closed();
