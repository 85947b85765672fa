import { pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from 'pino';

/** Writes structured JSON lines. The caller chooses which fields to log: never a body, a name or an IBAN. */
export type Logger = PinoLogger;

/**
 * Returns an error in a form that is safe to log: kind, code and stack, without any data quoted in its message or
 * detail.
 */
const errorFields = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { kind: typeof error };
  const code: unknown = Reflect.get(error, 'code');
  const stack = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  // Database and parser errors quote values (such as a key or JSON text) in their messages.
  return {
    kind: error.name,
    ...(typeof code === 'string' ? { code } : { message: error.message.slice(0, 200) }),
    stack: stack.slice(0, 8),
  };
};

/** Returns a service's logger. `LOG_LEVEL` sets the pino level; `about` adds fields to each line. */
export const createLogger = (
  service: string,
  level = 'info',
  { destination, about }: { readonly destination?: DestinationStream; readonly about?: () => object } = {},
): Logger =>
  pino(
    {
      level,
      mixin: about === undefined ? undefined : () => about(),
      base: { service },
      // A word, as log collectors and OpenTelemetry expect, and not pino's number.
      formatters: { level: (level) => ({ level }) },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: errorFields, error: errorFields },
      redact: {
        paths: ['*.password', '*.otp', '*.authorization', 'authorization', 'password', 'otp'],
        remove: true,
      },
    },
    ...(destination === undefined ? [] : [destination]),
  );
