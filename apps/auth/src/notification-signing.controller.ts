import { Controller } from '@nestjs/common';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { Handles } from '@xs2a/calls/handles';

/** Signs bodies of notifications, in their order; null for what is none. */
export abstract class NotificationSigner {
  abstract sign(bodies: readonly string[]): Promise<readonly (string | null)[]>;
}

/** Signs for the service that sends notifications: the private keys stay here. */
@Controller()
export class NotificationSigningController {
  constructor(private readonly signer: NotificationSigner) {}

  @Handles(signNotifications)
  async sign({ bodies }: { readonly bodies: readonly string[] }) {
    return { signatures: await this.signer.sign(bodies) };
  }
}
