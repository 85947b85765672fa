import { BadRequestException } from '@nestjs/common';
import type { Persons } from '@xs2a/domain/persons';
import { namesPerson } from '@xs2a/domain/text/reason';
import { codePointLength, isMaxText } from '@xs2a/domain/text/text';
import { type Html, html } from '@xs2a/html/html';
import { newId } from '@xs2a/runtime/ids';
import { copyable } from '../copy/copyable.js';
import { FormRefused } from '../pages/form-refused.js';
import { isActionId } from './acts.js';

interface ActionForm {
  readonly csrf: string;
  /** The path that takes the form. */
  readonly to: string;
  /** One sentence: what the action will do. */
  readonly does: string;
  readonly button: string;
  /** Fields above the reason. */
  readonly fields?: Html;
  /** The same action as a command, up to its reason; absent if the command has no such action. */
  readonly command?: string;
  /** Other members, which the person does not see. */
  readonly hidden: Readonly<Record<string, string>>;
}

const [shortest, longest] = [3, 500];

/** A form that asks for a reason and runs an action once, even if it is sent twice. */
export const actionForm = ({ csrf, to, does, button, fields, command, hidden }: ActionForm): Html => html`
  <form class="action" method="post" action="${to}">
    <p>${does}</p>
    ${Object.entries({ ...hidden, csrf, action: newId() }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${fields}
    <label
      >Reason<input
        name="reason"
        required
        minlength="${shortest}"
        maxlength="${longest}"
        autocomplete="off"
      />
      <span class="quiet">Recorded for years: name the case, not the person or an account.</span></label
    >
    <button type="submit" class="main">${button}</button>
    ${command === undefined ? undefined : html`<p class="command">As a command: ${copyable(`${command} --reason REASON`)}</p>`}
  </form>
`;

/**
 * Reads the id and the reason of an action. `to` is the page with the form. Throws {@link FormRefused} for a reason that may not
 * be recorded, and BadRequestException for a form that no page contains.
 */
export const readActionForm = (
  form: URLSearchParams,
  { to, persons }: { readonly to: string; readonly persons: Persons },
): { readonly actionId: string; readonly reason: string } => {
  const actionId = form.get('action');
  if (!isActionId(actionId)) throw new BadRequestException();
  const reason = form.get('reason')?.trim() ?? '';
  if (!isMaxText(reason, longest) || codePointLength(reason) < shortest)
    throw new FormRefused(`Give a reason of ${shortest} to ${longest} characters on one line.`, to);
  if (namesPerson(reason, persons))
    throw new FormRefused(
      'The reason is recorded for years: name the case, not the person or an account.',
      to,
    );
  return { actionId, reason };
};
