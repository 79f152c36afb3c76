import type { Resource } from '../../model/types';
import { getBatches } from './get-batches';
import { getDeposits } from './get-deposits';
import { getDisputeAdjustments } from './get-dispute-adjustments';
import { getDisputes } from './get-disputes';
import { getFees } from './get-fees';
import { getPlanTypes } from './get-plan-types';
import { getReserve } from './get-reserve';
import { getSettlements } from './get-settlements';
import { getTransactions } from './get-transactions';
import { getUpdaterDetails, getUpdaterSummaries } from './updater';

export const report: Resource = {
  value: 'report',
  name: 'Report',
  description: 'Transactions, batches, deposits and statements',
  preselected: getTransactions.value,
  operations: [
    getTransactions,
    getBatches,
    getDeposits,
    getDisputes,
    getFees,
    getReserve,
    getSettlements,
    getDisputeAdjustments,
    getPlanTypes,
    getUpdaterDetails,
    getUpdaterSummaries,
  ],
};
