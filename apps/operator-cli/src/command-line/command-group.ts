import { Command, type HelpContext } from 'commander';

/** A command that only groups others: called without a command, or with a command that it does not have, it fails and names the help. */
export class CommandGroup extends Command {
  /** Commander shows the help in place of an error. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    if (typeof context === 'function') return super.help(context);
    if (context?.error !== true) return super.help(context);
    const names = this.commands.map((command) => command.name());
    return this.error(`error: missing command: ${names.join(', ')}`);
  }
}
