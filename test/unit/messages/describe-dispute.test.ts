import { estimateDueDay, possibleActions } from '../../../nodes/PaymentPlatform/messages/describe-dispute';

test.each([
  [{ status: 'N', data_type: 'C' }, 'Accept or respond'],
  [{ status: 'N' }, 'Accept or respond'],
  [{ status: 'N', data_type: 'V' }, 'Respond'],
  [{ status: 'Q', data_type: 'C' }, 'Wait or reset'],
  [{ status: 'X', data_type: 'C' }, 'Unknown'],
  [{}, 'Unknown'],
])('names the possible actions for dispute %j', (dispute, actions) => expect(possibleActions(dispute)).toBe(actions));

test.each([
  [{ status: 'N', incoming_date: '2026-03-01' }, '2026-03-21'],
  [{ status: 'X', incoming_date: '2026-12-20T00:00:00.000Z' }, '2027-01-09'],
  [{ status: 'Q', incoming_date: '2026-03-01' }, undefined],
  [{ status: 'N', incoming_date: 'soon' }, undefined],
  [{ status: 'N' }, undefined],
])('estimates the due date of dispute %j', (dispute, day) => expect(estimateDueDay(dispute)).toBe(day));
