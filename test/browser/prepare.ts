import { startDemo } from './demo';

export default async function prepare(): Promise<void> {
  Object.assign(globalThis, { stopDemo: await startDemo() });
}
