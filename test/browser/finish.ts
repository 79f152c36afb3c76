export default async function finish(): Promise<void> {
  await (globalThis as { stopDemo?: () => Promise<void> }).stopDemo?.();
}
