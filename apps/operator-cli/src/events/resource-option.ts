import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { type Declared, option } from '../command-line/options.js';

export const resourceNames = Object.keys(eventStreams) as EventResource[];

/** The `--resource` option with exactly one resource. */
export const oneResource = option('<name>', 'which resource', resourceNames).required();

/** The `--resource` option: one resource, or all resources if it is not given. */
export const chosenResources = (help: string): Declared<readonly EventResource[]> => ({
  addTo: (command, name) => {
    const read = option('<name>', help, resourceNames).addTo(command, name);
    return () => {
      const one = read();
      return one === undefined ? resourceNames : [one];
    };
  },
});
