import { fieldsAt } from '../fields/versions';
import { heldIn, holdsIn } from '../shared/versions';
import type { Operation, Output, Resource } from './types';

const known = new WeakMap<Resource[], Map<number, Resource[]>>();

/**
 * What a version of the node has: the only place where marks (`since`, `until`) are looked at. What is not marked is the
 * same object in all versions. Asked for with every run, and made once.
 * @param version of the node in the workflow; of one that is not known yet, all that holds from the newest on.
 */
export function resourcesAt(declared: Resource[], version: number): Resource[] {
  const byVersion = known.get(declared) ?? new Map<number, Resource[]>();
  known.set(declared, byVersion);
  const made = byVersion.get(version) ?? heldIn(declared, version, (resource) => resourceAt(resource, version));
  byVersion.set(version, made);
  return made;
}

function resourceAt(resource: Resource, version: number): Resource {
  const operations = heldIn(resource.operations, version, (operation) => operationAt(operation, version));
  return operations === resource.operations ? resource : { ...resource, operations };
}

function operationAt(operation: Operation, version: number): Operation {
  const fields = fieldsAt(operation.fields, version);
  const additional = operation.additional && fieldsAt(operation.additional, version);
  const output = operation.outputs?.find((one) => holdsIn(one, version));
  if (fields === operation.fields && additional === operation.additional && !output) return operation;
  const made = { ...operation, fields, ...(additional && { additional }) };
  if (!output) return made;
  const { since, until } = operation;
  // All of it, also what it has not: nothing of the operation's own stays beside it.
  return { ...made, ...NO_OUTPUT, ...output, since, until, outputs: undefined };
}

const NO_OUTPUT: Output = { present: undefined, summary: undefined, simplified: undefined, addedBySimplify: undefined };
