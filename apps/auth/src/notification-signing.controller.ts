import { Controller } from '@nestjs/common';
import type { AnswerOf } from '@xs2a/contracts/call';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { Handles } from '@xs2a/calls/handles';

/** Signs notification bodies and returns the results in order. A body that is not a notification yields null. */
export abstract class NotificationSigner {
  abstract sign(bodies: readonly string[]): Promise<AnswerOf<typeof signNotifications>>;
}

/** Signs on behalf of the notifications service, so that the private keys never leave this service. */
@Controller()
export class NotificationSigningController {
  constructor(private readonly signer: NotificationSigner) {}

  @Handles(signNotifications)
  async sign({ bodies }: { readonly bodies: readonly string[] }) {
    return this.signer.sign(bodies);
  }
}
