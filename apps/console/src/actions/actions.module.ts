import { Module } from '@nestjs/common';
import { Actions } from './actions.js';
import { KeptActions } from './kept-actions.js';
import { OperatorEvents } from './operator-events.js';
import { PsuTags } from './psu-tags.js';
import { RecordController } from './record.controller.js';
import { Reveals } from './reveals.js';

/** What the staff did: recorded before and after it was done (docs/adr/0080). */
@Module({
  providers: [Actions, KeptActions, OperatorEvents, PsuTags, Reveals],
  controllers: [RecordController],
  exports: [Actions, PsuTags, Reveals],
})
export class ActionsModule {}
