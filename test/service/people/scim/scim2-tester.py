"""Checks a SCIM server with scim2-tester, and prints the failed checks as JSON."""

import json
import os

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

client = Client(
    base_url=os.environ["SCIM_URL"],
    headers={"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"},
)
scim = SyncSCIMClient(client)
scim.discover()
results = check_server(scim)
failed = [each for each in results if each.status in (Status.ERROR, Status.CRITICAL)]
print(
    json.dumps(
        {
            "passed": sum(each.status == Status.SUCCESS for each in results),
            "failed": [[each.title, each.resource_type, str(each.reason)] for each in failed],
        }
    )
)
