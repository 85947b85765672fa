import { Module } from '@nestjs/common';
import { Actions } from './actions.js';
import { acts } from './acts.js';
import { KeptActions } from './kept-actions.js';
import { OperatorEvents } from './operator-events.js';
import { PsuTags } from './psu-tags.js';
import { RecordController } from './record.controller.js';
import { RequestController } from './request.controller.js';
import { Reveals } from './reveals.js';
import { ACTS, TwoPeople } from './two-people.js';

/** What the staff did: recorded before and after it was done (docs/adr/0080). */
@Module({
  providers: [
    Actions,
    KeptActions,
    OperatorEvents,
    PsuTags,
    Reveals,
    TwoPeople,
    { provide: ACTS, useValue: acts },
  ],
  controllers: [RecordController, RequestController],
  exports: [Actions, PsuTags, Reveals, TwoPeople],
})
export class ActionsModule {}
