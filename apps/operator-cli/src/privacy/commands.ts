import type { Command } from 'commander';
import { CommandGroup } from '../command-line/command-group.js';
import { dueCommand } from './due.js';
import { forgetCommand } from './forget.js';
import { logCommand } from './log.js';
import { exportCommand } from './export.js';
import { rotateCommand } from './rotate.js';

/** `privacy`: personal data and the keys that they are encrypted with. */
export const privacyCommand = (): Command => {
  const privacy = new CommandGroup('privacy').description(
    'personal data, and the keys they are encrypted with',
  );
  for (const command of [forgetCommand(), exportCommand(), dueCommand(), logCommand(), rotateCommand()])
    privacy.addCommand(command);
  return privacy;
};
