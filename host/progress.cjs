const STEPS = ['install packages', 'install n8n', 'build nodes', 'start n8n'];
const PAUSE = 15_000;

/** Shows the progress of `npm start`. In a log, each step adds at most one line every 15 seconds. */
exports.createProgress = (out = process.stdout, now = Date.now) => {
  let shown = { step: 0, at: 0 };
  const clear = () => out.isTTY && out.write('\r\u001b[2K');
  return {
    show(step, detail = '') {
      if (!out.isTTY && shown.step === step && now() - shown.at < PAUSE) return;
      shown = { step, at: now() };
      const [name, ...next] = STEPS.slice(step - 1);
      const what = [name[0].toUpperCase() + name.slice(1), detail.trim().replace(/[ .]+$/, '')]
        .filter(Boolean)
        .join(': ');
      const line = `[${step}/${STEPS.length}] ${what}.${next.length > 0 ? ` Next: ${next.join(', ')}.` : ''}`;
      clear();
      out.write(out.isTTY ? line.slice(0, (out.columns ?? 80) - 1) : `${line}\n`);
    },
    end: clear,
  };
};
