import { Module } from '@nestjs/common';
import { Actions } from './actions.js';
import { KeptActions } from './kept-actions.js';
import { OperatorEvents } from './operator-events.js';
import { PsuTags } from './psu-tags.js';
import { RecordController } from './record.controller.js';

/** What the staff did: recorded before and after it was done (docs/adr/0080). */
@Module({
  providers: [Actions, KeptActions, OperatorEvents, PsuTags],
  controllers: [RecordController],
  exports: [Actions, PsuTags],
})
export class ActionsModule {}
