import { checkText, type TextOptions } from './text';
import type { ValueField } from '../types';
import { describe, valueField } from '../value';

export interface LinkOptions extends TextOptions {
  parameterNames: string[];
  linkPlaceholder: string;
}

const ID = /^[A-Za-z0-9_-]+$/;
/** Generated IDs contain a digit. Page names such as "checkout" don't. */
const MADE_UP_ID = /^(?=.*\d)[A-Za-z0-9_-]{4,}$/;

/** Returns `undefined` for a link without an ID. Prefers the known query parameters to the last part of the path. */
export function idOfLink(link: string, parameterNames: string[]): string | undefined {
  const url = asUrl(link);
  if (!url) return undefined;
  const query = [...url.searchParams];
  const wanted = parameterNames.map((name) => name.toLowerCase());
  const named = query.find(([name, value]) => wanted.includes(name.toLowerCase()) && ID.test(value));
  if (named) return named[1];
  const last = url.pathname.split('/').filter(Boolean).at(-1);
  if (last !== undefined && MADE_UP_ID.test(last)) return last;
  const alike = query.map(([, value]) => value).filter((value) => MADE_UP_ID.test(value));
  return alike.length === 1 ? alike[0] : undefined;
}

function asUrl(link: string): URL | undefined {
  try {
    return new URL(/^https?:\/\//i.test(link) ? link : `https://${link}`);
  } catch {
    return undefined;
  }
}

const isLink = (value: unknown): value is string => typeof value === 'string' && /[/?]/.test(value);

/** Users enter the ID of a record that the node can't list, or a link to its page. */
export function linkLocator({ placeholder, linkPlaceholder, parameterNames, ...options }: LinkOptions): ValueField {
  const id = checkText({ ...options, isId: true });
  return valueField(
    options,
    {
      type: 'resourceLocator',
      default: { mode: 'id', value: '' },
      modes: [
        { displayName: 'By ID', name: 'id', type: 'string', placeholder },
        { displayName: 'By Link', name: 'link', type: 'string', placeholder: linkPlaceholder },
      ],
    },
    (value, problem, context) => {
      if (!isLink(value)) return id(value, problem, context);
      const found = idOfLink(value.trim(), parameterNames);
      if (found === undefined) return problem('must be a link that contains an ID');
      return id(found, (allowed) => problem(allowed, { found: describe(found) }), context);
    },
  );
}
