import { Controller } from '@nestjs/common';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { Handles } from '@xs2a/calls/handles';

/** Signs notification bodies, in order; null for a body that is not a notification. */
export abstract class NotificationSigner {
  abstract sign(bodies: readonly string[]): Promise<readonly (string | null)[]>;
}

/** Signs for the service that sends notifications, so that the private keys stay here. */
@Controller()
export class NotificationSigningController {
  constructor(private readonly signer: NotificationSigner) {}

  @Handles(signNotifications)
  async sign({ bodies }: { readonly bodies: readonly string[] }) {
    return { signatures: await this.signer.sign(bodies) };
  }
}
