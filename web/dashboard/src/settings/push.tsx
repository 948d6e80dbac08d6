// Notifications of the member's devices by push.
import { BellRing, Send, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { PushDevice, PushDevices, PushTest } from "../api/types";
import { useQuery } from "../api/useQuery";
import { devicesPath, hindrance, isSubscribed, turnOff, turnOn } from "../device/push";
import { Badge, fullTime, IconButton, Section, Switch, useToast } from "../kit";
import { useMe } from "../sync";
import { deviceName } from "./device";
import { Rows, RowText } from "./parts";
import { texts } from "./push.texts";

export function PushSection() {
  const me = useMe();
  const toast = useToast();
  const list = useQuery<PushDevices>(devicesPath);
  const [busy, setBusy] = useState(false);
  const off = list.data?.publicKey === null;
  const obstacle = hindrance();
  // The server may still have a device whose site data the browser has deleted.
  const [subscribed, setSubscribed] = useState(false);
  const listed = list.data;
  useEffect(() => {
    isSubscribed().then(setSubscribed, () => setSubscribed(false));
  }, [listed]);
  const here = list.data?.data.find(({ current }) => current);
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true);
    try {
      const said = await act();
      if (said !== null) toast.done(said);
    } catch (error) {
      toast.failed(error);
    }
    setBusy(false);
    list.reload();
  };
  const change = (wanted: boolean) =>
    run(async () => {
      if (!wanted) {
        await turnOff();
        if (here) await api.delete(`${devicesPath}/${here.id}`);
        return null;
      }
      return (await turnOn(me.id, list.data?.publicKey ?? "")) ? texts.turnedOn : texts.notAllowed;
    });
  const remove = (device: PushDevice) =>
    run(async () => {
      if (device.current) await turnOff();
      await api.delete(`${devicesPath}/${device.id}`);
      return texts.removed;
    });
  const test = (device: PushDevice) => run(async () => texts.outcomes[(await api.post<PushTest>(`${devicesPath}/${device.id}/test`, {})).outcome]);
  const hint = off ? texts.off : obstacle && texts[obstacle];
  return (
    <Section title={texts.title} description={texts.description}>
      <Switch
        label={texts.onThisDevice}
        {...(hint && { hint })}
        checked={here !== undefined && subscribed && obstacle === null}
        disabled={busy || list.data === undefined || off || obstacle !== null}
        onChange={(wanted) => void change(wanted)}
      />
      {(list.error !== undefined || (list.data?.data.length ?? 0) > 0) && (
        <Rows label={texts.devices} rows={list.data?.data} error={list.error} onRetry={list.reload} keyOf={({ id }) => id} empty={{ title: texts.none, text: "" }}>
          {(device) => {
            const name = deviceName(device.userAgent);
            return (
              <>
                <BellRing size={18} aria-hidden />
                <RowText
                  name={name}
                  badges={device.current && <Badge tone="accent">{texts.thisOne}</Badge>}
                  note={device.usedAt ? texts.usedAt(fullTime(device.createdAt), fullTime(device.usedAt)) : texts.added(fullTime(device.createdAt))}
                />
                <IconButton label={texts.testOf(name)} icon={<Send size={16} />} disabled={busy} onClick={() => void test(device)} />
                <IconButton label={texts.removeOf(name)} icon={<Trash2 size={16} />} disabled={busy} onClick={() => void remove(device)} />
              </>
            );
          }}
        </Rows>
      )}
    </Section>
  );
}
