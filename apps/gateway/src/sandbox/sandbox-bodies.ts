import { CallFailed } from '@xs2a/domain/failure/failed';
import type { JsonObject } from '@xs2a/domain/form/form-checks';
import { readDto } from '@xs2a/runtime/read-dto';
import { ClockDto } from './clock.dto.js';
import { PlannedFaultDto } from './planned-fault.dto.js';
import { TppStatusDto } from './tpp-status.dto.js';
import { VisitDto } from './visit.dto.js';

/**
 * Reads bodies that the gateway validates itself; all other bodies are validated by the services that handle them.
 * Throws CallFailed.
 */
const reader =
  <Dto extends object>(type: new () => Dto) =>
  (body: JsonObject): Dto => {
    const read = readDto(type, body);
    if ('failures' in read) throw new CallFailed(read.failures);
    return read.dto;
  };

export const readClock = reader(ClockDto);
export const readTppStatus = reader(TppStatusDto);
export const readPlannedFault = reader(PlannedFaultDto);
export const readVisit = reader(VisitDto);
