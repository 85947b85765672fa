/**
 * The name that an operator types to run this command: `xs2a` in the image, `npm run xs2a --` in a checkout
 * (tools/sandbox/src/xs2a.ts).
 */
const name = process.env.XS2A_COMMAND ?? 'xs2a';

/** Returns the command line that an operator types to run a command of this program. */
export const xs2a = (command: string): string => `${name} ${command}`;
